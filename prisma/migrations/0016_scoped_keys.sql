-- API keys that only upload versions of one add-on. Release 0.1.0 refuses them: they have another prefix.
ALTER TABLE api_key ADD COLUMN addon_id integer REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX api_key_addon_id_idx ON api_key (addon_id);
