-- Add-ons with their authors, categories and pictures.

CREATE TABLE license (
    id serial PRIMARY KEY,
    builtin text,
    name jsonb NOT NULL DEFAULT '{}',
    text jsonb NOT NULL DEFAULT '{}',
    url text
);
CREATE UNIQUE INDEX license_builtin_key ON license (builtin);

CREATE TABLE category (
    id serial PRIMARY KEY,
    app text NOT NULL,
    type text NOT NULL,
    slug text NOT NULL,
    name jsonb NOT NULL DEFAULT '{}',
    weight integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX category_app_type_slug_key ON category (app, type, slug);

-- Translated fields are jsonb, {locale: text}.
CREATE TABLE addon (
    id serial PRIMARY KEY,
    guid citext NOT NULL,
    slug citext,
    type text NOT NULL,
    status text NOT NULL DEFAULT 'incomplete',
    status_before_disabling text,
    default_locale text NOT NULL,
    name jsonb NOT NULL DEFAULT '{}',
    summary jsonb NOT NULL DEFAULT '{}',
    description jsonb NOT NULL DEFAULT '{}',
    developer_comments jsonb NOT NULL DEFAULT '{}',
    homepage jsonb NOT NULL DEFAULT '{}',
    support_email jsonb NOT NULL DEFAULT '{}',
    support_url jsonb NOT NULL DEFAULT '{}',
    eula jsonb NOT NULL DEFAULT '{}',
    privacy_policy jsonb NOT NULL DEFAULT '{}',
    contributions_url text,
    icon_sha256 text,
    is_disabled_by_developer boolean NOT NULL DEFAULT false,
    is_experimental boolean NOT NULL DEFAULT false,
    is_source_public boolean NOT NULL DEFAULT false,
    public_stats boolean NOT NULL DEFAULT false,
    requires_payment boolean NOT NULL DEFAULT false,
    requires_sensitive_data_access boolean NOT NULL DEFAULT false,
    average_daily_users integer NOT NULL DEFAULT 0,
    weekly_downloads integer NOT NULL DEFAULT 0,
    hotness double precision NOT NULL DEFAULT 0,
    rating_count integer NOT NULL DEFAULT 0,
    rating_text_count integer NOT NULL DEFAULT 0,
    rating_average double precision NOT NULL DEFAULT 0,
    rating_bayesian double precision NOT NULL DEFAULT 0,
    e10s text NOT NULL DEFAULT 'unknown',
    target_locale text,
    locale_disambiguation text,
    -- References version (0003_versions.sql).
    current_version_id integer,
    license_id integer REFERENCES license ON DELETE SET NULL ON UPDATE CASCADE,
    deleted_at timestamptz(3),
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_updated timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT addon_deleted_together CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
    CONSTRAINT addon_e10s_known CHECK (e10s IN ('compatible', 'compatible-webextension', 'incompatible', 'unknown')),
    CONSTRAINT addon_status_known CHECK (status IN ('lite', 'public', 'deleted', 'pending', 'disabled', 'rejected', 'nominated',
        'incomplete', 'unreviewed', 'lite-nominated', 'review-pending')),
    CONSTRAINT addon_type_known CHECK (type IN ('extension', 'theme', 'dictionary', 'search', 'language', 'persona', 'statictheme'))
);
CREATE UNIQUE INDEX addon_current_version_id_key ON addon (current_version_id);
-- For anti-joins with deleted add-ons, which are few.
CREATE INDEX addon_deleted ON addon (id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX addon_guid_key ON addon (guid);
CREATE INDEX addon_license_id_idx ON addon (license_id);
-- For look-ups of many guids: citext would convert both sides of each comparison.
CREATE INDEX addon_lower_guid ON addon (lower(guid::text));
CREATE UNIQUE INDEX addon_slug_key ON addon (slug);
CREATE INDEX addon_status_type_idx ON addon (status, type);

CREATE TABLE addon_author (
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    role text NOT NULL,
    listed boolean NOT NULL DEFAULT true,
    position integer NOT NULL DEFAULT 0,
    PRIMARY KEY (addon_id, account_id),
    CONSTRAINT addon_author_role_known CHECK (role IN ('owner', 'developer'))
);
CREATE INDEX addon_author_account_id_idx ON addon_author (account_id);

-- Unanswered invitations to become an author. An expired row gives no right; the next invitation replaces it.
CREATE TABLE author_invitation (
    id serial PRIMARY KEY,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    role text NOT NULL,
    listed boolean NOT NULL,
    invited_by integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires timestamptz(3) NOT NULL,
    CONSTRAINT author_invitation_role_known CHECK (role IN ('owner', 'developer'))
);
CREATE INDEX author_invitation_account_id_idx ON author_invitation (account_id);
CREATE UNIQUE INDEX author_invitation_addon_id_account_id_key ON author_invitation (addon_id, account_id);
CREATE INDEX author_invitation_invited_by_idx ON author_invitation (invited_by);

CREATE TABLE addon_category (
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    category_id integer NOT NULL REFERENCES category ON DELETE RESTRICT ON UPDATE CASCADE,
    PRIMARY KEY (addon_id, category_id)
);
CREATE INDEX addon_category_category_id_idx ON addon_category (category_id);

CREATE TABLE addon_tag (
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    tag text NOT NULL,
    PRIMARY KEY (addon_id, tag)
);
CREATE INDEX addon_tag_tag_idx ON addon_tag (tag);

CREATE TABLE preview (
    id serial PRIMARY KEY,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    position integer NOT NULL DEFAULT 0,
    caption jsonb NOT NULL DEFAULT '{}',
    image_sha256 text,
    thumbnail_sha256 text,
    image_width integer NOT NULL DEFAULT 0,
    image_height integer NOT NULL DEFAULT 0,
    thumbnail_width integer NOT NULL DEFAULT 0,
    thumbnail_height integer NOT NULL DEFAULT 0,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX preview_addon_id_idx ON preview (addon_id);

CREATE TABLE persona (
    addon_id integer PRIMARY KEY REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    accent_color text,
    text_color text,
    header_sha256 text,
    footer_sha256 text,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Pictures derived from a source picture: sizes of an icon, preview and icon of a persona. They are kept while the source is referenced.
CREATE TABLE picture_rendition (
    source_sha256 text NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    stored timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (source_sha256, name)
);
CREATE INDEX picture_rendition_sha256_idx ON picture_rendition (sha256);

-- What the catalogue shows of an add-on, as the view `current_addon_document` was when it was last published. Each transaction that
-- changes any of it publishes the document again, with a new `row_version`.
CREATE TABLE addon_document (
    addon_id integer PRIMARY KEY REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    row_version bigserial,
    body json NOT NULL
);
