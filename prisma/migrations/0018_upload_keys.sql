-- Uploads by API key, for what a key has uploaded, and to delete keys without reading all uploads.
CREATE INDEX upload_api_key_id_idx ON upload (api_key_id);
