-- Versions of add-ons: compatibility, files and their counts, uploads, signatures.

CREATE TABLE version (
    id serial PRIMARY KEY,
    addon_id integer NOT NULL REFERENCES addon ON DELETE RESTRICT ON UPDATE CASCADE,
    version text NOT NULL,
    channel text NOT NULL,
    stage text NOT NULL,
    reason text,
    reason_message jsonb,
    release_notes jsonb NOT NULL DEFAULT '{}',
    approval_notes text NOT NULL DEFAULT '',
    license_id integer REFERENCES license ON DELETE SET NULL ON UPDATE CASCADE,
    is_strict_compatibility_enabled boolean NOT NULL DEFAULT false,
    manifest_compatibility jsonb,
    reviewed timestamptz(3),
    deleted_at timestamptz(3),
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT version_channel_known CHECK (channel IN ('listed', 'unlisted')),
    CONSTRAINT version_reason_is_one CHECK (num_nonnulls(reason, reason_message) <= 1),
    CONSTRAINT version_stage_known CHECK (stage IN ('received', 'validating', 'invalid', 'valid', 'awaiting_review', 'signing',
        'signed', 'rejected', 'error'))
);
ALTER TABLE addon ADD FOREIGN KEY (current_version_id) REFERENCES version ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX version_addon_id_created_idx ON version (addon_id, created);
-- Versions that wait for a worker or a reviewer: frequent look-ups of a small part of the table.
CREATE INDEX version_in_progress ON version (stage, id) WHERE stage NOT IN ('invalid', 'rejected', 'error', 'signed');
-- The review times of the last days.
CREATE INDEX version_reviewed ON version (reviewed) WHERE channel = 'listed' AND reviewed IS NOT NULL;
CREATE INDEX version_license_id_idx ON version (license_id);
-- A version number is used once. Failed and rejected uploads free theirs; deleted versions do not.
CREATE UNIQUE INDEX version_number_taken ON version (addon_id, version) WHERE stage NOT IN ('invalid', 'rejected', 'error');

CREATE TABLE version_compatibility (
    version_id integer NOT NULL REFERENCES version ON DELETE CASCADE ON UPDATE CASCADE,
    app text NOT NULL,
    min text NOT NULL,
    max text NOT NULL,
    min_code bigint NOT NULL,
    max_code bigint NOT NULL,
    PRIMARY KEY (version_id, app)
);

-- Source code that developers attach to a version for its reviewers.
CREATE TABLE version_source (
    version_id integer PRIMARY KEY REFERENCES version ON DELETE CASCADE ON UPDATE CASCADE,
    name text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX version_source_sha256_idx ON version_source (sha256);

CREATE TABLE file (
    id serial PRIMARY KEY,
    version_id integer NOT NULL REFERENCES version ON DELETE RESTRICT ON UPDATE CASCADE,
    name text NOT NULL,
    platform text NOT NULL DEFAULT 'all',
    status integer NOT NULL DEFAULT 1,
    status_when_enabled integer,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    original_sha256 text NOT NULL,
    signed_sha256 text,
    signed_at timestamptz(3),
    certificate_serial text,
    permissions text[],
    optional_permissions text[] DEFAULT ARRAY[]::text[],
    data_collection_permissions text[] DEFAULT ARRAY[]::text[],
    optional_data_collection_permissions text[] DEFAULT ARRAY[]::text[],
    host_permissions text[] DEFAULT ARRAY[]::text[],
    is_webextension boolean NOT NULL DEFAULT false,
    is_restart_required boolean NOT NULL DEFAULT false,
    is_vendor_signed_extension boolean NOT NULL DEFAULT false,
    is_experiment boolean NOT NULL DEFAULT false,
    is_stored boolean NOT NULL DEFAULT true,
    are_files_hashed boolean NOT NULL DEFAULT false,
    format text NOT NULL DEFAULT 'webextension',
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT file_format_known CHECK (format IN ('webextension', 'install-rdf', 'opensearch')),
    CONSTRAINT file_platform_known CHECK (platform IN ('all', 'mac', 'linux', 'android', 'windows')),
    CONSTRAINT file_signed_together CHECK ((signed_sha256 IS NULL) = (signed_at IS NULL)),
    CONSTRAINT file_status_known CHECK (status IN (1, 4, 5))
);
CREATE INDEX file_sha256_idx ON file (sha256);
CREATE INDEX file_version_id_idx ON file (version_id);
CREATE INDEX file_without_hashes ON file (id) WHERE NOT are_files_hashed AND is_stored AND format <> 'opensearch';

-- The files in packages, by their SHA-256. The add-on is that of the package; it is in the key, so that other add-ons with a file are
-- found without reading all versions of one.
CREATE TABLE package_file (
    sha256 bytea NOT NULL,
    addon_id integer NOT NULL,
    file_id integer NOT NULL REFERENCES file ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY (sha256, addon_id, file_id)
);
CREATE INDEX package_file_file_id_idx ON package_file (file_id);

CREATE TABLE download_count (
    file_id integer NOT NULL REFERENCES file ON DELETE CASCADE ON UPDATE CASCADE,
    day date NOT NULL,
    source text NOT NULL,
    count integer NOT NULL DEFAULT 0,
    PRIMARY KEY (file_id, day, source)
);

-- Periodic update checks by day (UTC), application and version; the version is empty where the add-on has none of that number.
CREATE TABLE update_check_count (
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    day date NOT NULL,
    app text NOT NULL,
    version text NOT NULL,
    count integer NOT NULL DEFAULT 0,
    PRIMARY KEY (addon_id, day, app, version)
);
CREATE INDEX update_check_count_day_idx ON update_check_count (day);

-- A package that was uploaded. Before its submission, it has a stage and what its manifest says; the submission replaces these with an
-- add-on and a version. Uploads that create a version at once never have them.
CREATE TABLE upload (
    id serial PRIMARY KEY,
    pk text NOT NULL,
    addon_id integer REFERENCES addon ON DELETE RESTRICT ON UPDATE CASCADE,
    version_id integer REFERENCES version ON DELETE RESTRICT ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    api_key_id integer REFERENCES api_key ON DELETE SET NULL ON UPDATE CASCADE,
    file_name text NOT NULL,
    validation json,
    validated_at timestamptz(3),
    channel text,
    stage text,
    reason text,
    reason_message jsonb,
    sha256 text,
    size bigint,
    manifest jsonb,
    expires timestamptz(3),
    target_addon_id integer REFERENCES addon ON DELETE SET NULL ON UPDATE CASCADE,
    makes_addon boolean NOT NULL DEFAULT false,
    failed_attempts integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT upload_channel_known CHECK (channel IN ('listed', 'unlisted')),
    CONSTRAINT upload_makes_addon_as_version CHECK (NOT makes_addon OR version_id IS NOT NULL),
    CONSTRAINT upload_reason_is_one CHECK (num_nonnulls(reason, reason_message) <= 1),
    CONSTRAINT upload_reason_message_while_waiting CHECK (version_id IS NULL OR reason_message IS NULL),
    CONSTRAINT upload_size_positive CHECK (size >= 0),
    CONSTRAINT upload_stage_known CHECK (stage IN ('received', 'validating', 'invalid', 'valid', 'error')),
    CONSTRAINT upload_waits_or_is_version CHECK (
        num_nonnulls(addon_id, version_id) = 0 AND num_nonnulls(channel, stage, sha256, size, manifest, expires) = 6
        OR num_nonnulls(addon_id, version_id) = 2 AND num_nulls(channel, stage, reason, sha256, size, manifest, expires) = 7)
);
CREATE INDEX upload_account_id_idx ON upload (account_id);
CREATE INDEX upload_addon_id_created_idx ON upload (addon_id, created);
-- Few rows wait at any time; each of these indexes holds only them.
CREATE INDEX upload_expires ON upload (expires) WHERE expires IS NOT NULL;
CREATE UNIQUE INDEX upload_pk_key ON upload (pk);
CREATE INDEX upload_sha256 ON upload (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX upload_to_validate ON upload (id) WHERE stage IN ('received', 'validating');
CREATE UNIQUE INDEX upload_version_id_key ON upload (version_id);
CREATE INDEX upload_waiting_of_account ON upload (account_id, id) WHERE version_id IS NULL;

-- Addresses at which installed unlisted add-ons look for updates. The address contains a key, of which only the hash is stored.
CREATE TABLE update_address (
    id serial PRIMARY KEY,
    guid citext NOT NULL,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    addon_id integer REFERENCES addon ON DELETE SET NULL ON UPDATE CASCADE,
    key_hash text NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ended timestamptz(3)
);
CREATE INDEX update_address_account_id_idx ON update_address (account_id);
CREATE INDEX update_address_addon_id_idx ON update_address (addon_id);
CREATE INDEX update_address_guid_idx ON update_address (guid);
CREATE UNIQUE INDEX update_address_key_hash_key ON update_address (key_hash);

-- The signature log: one row per certificate, written before the signature is made. Append-only; each row contains the hash of the
-- previous one. The log survives its files, so it has no foreign key.
CREATE TABLE signing_certificate (
    id bigserial PRIMARY KEY,
    serial text NOT NULL,
    issuer text NOT NULL,
    file_id integer NOT NULL,
    guid text NOT NULL,
    version text NOT NULL,
    input_sha256 text NOT NULL,
    created timestamptz(3) NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL
);
CREATE INDEX signing_certificate_file_id_idx ON signing_certificate (file_id);
-- Look-ups in the public log by add-on and version.
CREATE INDEX signing_certificate_guid_version_idx ON signing_certificate (guid, version);
CREATE UNIQUE INDEX signing_certificate_hash_key ON signing_certificate (hash);
CREATE UNIQUE INDEX signing_certificate_previous_hash_key ON signing_certificate (previous_hash);
CREATE UNIQUE INDEX signing_certificate_serial_key ON signing_certificate (serial);
