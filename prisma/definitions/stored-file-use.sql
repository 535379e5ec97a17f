-- Every reference to a stored file. `is_needed` is false for a hash of metadata without bytes, whose file may be missing.
CREATE OR REPLACE VIEW stored_file_use AS
SELECT sha256, is_stored AS is_needed FROM file
UNION ALL SELECT original_sha256, is_stored FROM file
UNION ALL SELECT sha256, true FROM version_source
UNION ALL SELECT sha256, true FROM upload WHERE sha256 IS NOT NULL
UNION ALL SELECT icon_sha256, true FROM addon WHERE icon_sha256 IS NOT NULL
UNION ALL SELECT picture_sha256, true FROM account WHERE picture_sha256 IS NOT NULL
UNION ALL SELECT image_sha256, true FROM preview WHERE image_sha256 IS NOT NULL
UNION ALL SELECT thumbnail_sha256, true FROM preview WHERE thumbnail_sha256 IS NOT NULL
UNION ALL SELECT header_sha256, true FROM persona WHERE header_sha256 IS NOT NULL
UNION ALL SELECT footer_sha256, true FROM persona WHERE footer_sha256 IS NOT NULL
UNION ALL SELECT sha256, true FROM picture_rendition;
