-- Every table of the domain, as schema.prisma declares it.
CREATE EXTENSION IF NOT EXISTS citext;
CREATE TABLE "account" (
    "id" SERIAL NOT NULL,
    "username" CITEXT NOT NULL,
    "display_name" TEXT,
    "email" CITEXT,
    "idp_id" TEXT,
    "biography" TEXT,
    "homepage" TEXT,
    "location" TEXT,
    "occupation" TEXT,
    "picture_sha256" TEXT,
    "is_verified" BOOLEAN NOT NULL DEFAULT false,
    "has_chosen_username" BOOLEAN NOT NULL DEFAULT true,
    "read_dev_agreement" TIMESTAMPTZ(3),
    "average_addon_rating" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "last_login" TIMESTAMPTZ(3),
    "last_login_ip" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "permission_group" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "rules" TEXT[],
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "permission_group_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "group_member" (
    "group_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_member_pkey" PRIMARY KEY ("group_id","account_id")
);

CREATE TABLE "api_key" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "sealed_secret" BYTEA NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "access_token" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used" TIMESTAMPTZ(3),

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "spent_token" (
    "issuer" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spent_token_pkey" PRIMARY KEY ("issuer","jti")
);

CREATE TABLE "notification_setting" (
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,

    CONSTRAINT "notification_setting_pkey" PRIMARY KEY ("account_id","name")
);

CREATE TABLE "addon" (
    "id" SERIAL NOT NULL,
    "guid" CITEXT NOT NULL,
    "slug" CITEXT,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'incomplete',
    "status_before_disabling" TEXT,
    "default_locale" TEXT NOT NULL,
    "name" JSONB NOT NULL DEFAULT '{}',
    "summary" JSONB NOT NULL DEFAULT '{}',
    "description" JSONB NOT NULL DEFAULT '{}',
    "developer_comments" JSONB NOT NULL DEFAULT '{}',
    "homepage" JSONB NOT NULL DEFAULT '{}',
    "support_email" JSONB NOT NULL DEFAULT '{}',
    "support_url" JSONB NOT NULL DEFAULT '{}',
    "eula" JSONB NOT NULL DEFAULT '{}',
    "privacy_policy" JSONB NOT NULL DEFAULT '{}',
    "contributions_url" TEXT,
    "icon_sha256" TEXT,
    "is_disabled_by_developer" BOOLEAN NOT NULL DEFAULT false,
    "is_experimental" BOOLEAN NOT NULL DEFAULT false,
    "is_source_public" BOOLEAN NOT NULL DEFAULT false,
    "public_stats" BOOLEAN NOT NULL DEFAULT false,
    "requires_payment" BOOLEAN NOT NULL DEFAULT false,
    "requires_sensitive_data_access" BOOLEAN NOT NULL DEFAULT false,
    "average_daily_users" INTEGER NOT NULL DEFAULT 0,
    "weekly_downloads" INTEGER NOT NULL DEFAULT 0,
    "hotness" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "rating_count" INTEGER NOT NULL DEFAULT 0,
    "rating_text_count" INTEGER NOT NULL DEFAULT 0,
    "rating_average" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "rating_bayesian" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "e10s" TEXT NOT NULL DEFAULT 'unknown',
    "target_locale" TEXT,
    "locale_disambiguation" TEXT,
    "current_version_id" INTEGER,
    "license_id" INTEGER,
    "deleted_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_updated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "addon_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "addon_author" (
    "addon_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "listed" BOOLEAN NOT NULL DEFAULT true,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "addon_author_pkey" PRIMARY KEY ("addon_id","account_id")
);

CREATE TABLE "category" (
    "id" SERIAL NOT NULL,
    "app" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" JSONB NOT NULL DEFAULT '{}',
    "weight" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "category_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "addon_category" (
    "addon_id" INTEGER NOT NULL,
    "category_id" INTEGER NOT NULL,

    CONSTRAINT "addon_category_pkey" PRIMARY KEY ("addon_id","category_id")
);

CREATE TABLE "addon_tag" (
    "addon_id" INTEGER NOT NULL,
    "tag" TEXT NOT NULL,

    CONSTRAINT "addon_tag_pkey" PRIMARY KEY ("addon_id","tag")
);

CREATE TABLE "preview" (
    "id" SERIAL NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "caption" JSONB NOT NULL DEFAULT '{}',
    "image_sha256" TEXT,
    "thumbnail_sha256" TEXT,
    "image_width" INTEGER NOT NULL DEFAULT 0,
    "image_height" INTEGER NOT NULL DEFAULT 0,
    "thumbnail_width" INTEGER NOT NULL DEFAULT 0,
    "thumbnail_height" INTEGER NOT NULL DEFAULT 0,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "preview_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "persona" (
    "addon_id" INTEGER NOT NULL,
    "accent_color" TEXT,
    "text_color" TEXT,
    "header_sha256" TEXT,
    "footer_sha256" TEXT,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "persona_pkey" PRIMARY KEY ("addon_id")
);

CREATE TABLE "license" (
    "id" SERIAL NOT NULL,
    "builtin" TEXT,
    "name" JSONB NOT NULL DEFAULT '{}',
    "text" JSONB NOT NULL DEFAULT '{}',
    "url" TEXT,

    CONSTRAINT "license_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "version" (
    "id" SERIAL NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "reason" TEXT,
    "release_notes" JSONB NOT NULL DEFAULT '{}',
    "license_id" INTEGER,
    "is_strict_compatibility_enabled" BOOLEAN NOT NULL DEFAULT false,
    "reviewed" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "version_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "version_compatibility" (
    "version_id" INTEGER NOT NULL,
    "app" TEXT NOT NULL,
    "min" TEXT NOT NULL,
    "max" TEXT NOT NULL,
    "min_code" BIGINT NOT NULL,
    "max_code" BIGINT NOT NULL,

    CONSTRAINT "version_compatibility_pkey" PRIMARY KEY ("version_id","app")
);

CREATE TABLE "file" (
    "id" SERIAL NOT NULL,
    "version_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "platform" TEXT NOT NULL DEFAULT 'all',
    "status" INTEGER NOT NULL DEFAULT 1,
    "size" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "original_sha256" TEXT NOT NULL,
    "signed_sha256" TEXT,
    "signed_at" TIMESTAMPTZ(3),
    "certificate_serial" TEXT,
    "permissions" TEXT[],
    "is_webextension" BOOLEAN NOT NULL DEFAULT false,
    "is_restart_required" BOOLEAN NOT NULL DEFAULT false,
    "is_vendor_signed_extension" BOOLEAN NOT NULL DEFAULT false,
    "is_stored" BOOLEAN NOT NULL DEFAULT true,
    "format" TEXT NOT NULL DEFAULT 'webextension',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "download_count" (
    "file_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "source" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "download_count_pkey" PRIMARY KEY ("file_id","day","source")
);

CREATE TABLE "upload" (
    "id" SERIAL NOT NULL,
    "pk" TEXT NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "version_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "api_key_id" INTEGER,
    "file_name" TEXT NOT NULL,
    "validation" JSON,
    "validated_at" TIMESTAMPTZ(3),
    "failed_attempts" INTEGER NOT NULL DEFAULT 0,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "signing_certificate" (
    "id" BIGSERIAL NOT NULL,
    "serial" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "file_id" INTEGER NOT NULL,
    "guid" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "input_sha256" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "signing_certificate_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "activity" (
    "id" SERIAL NOT NULL,
    "action" TEXT NOT NULL,
    "account_id" INTEGER,
    "addon_id" INTEGER,
    "version_id" INTEGER,
    "comments" TEXT NOT NULL DEFAULT '',
    "details" JSONB NOT NULL DEFAULT '{}',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created" TIMESTAMPTZ(3) NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "reply_token" (
    "id" SERIAL NOT NULL,
    "token" TEXT NOT NULL,
    "version_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "use_count" INTEGER NOT NULL DEFAULT 0,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reply_token_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "abuse_report" (
    "id" SERIAL NOT NULL,
    "reporter_id" INTEGER,
    "account_id" INTEGER,
    "addon_guid" TEXT,
    "addon_id" INTEGER,
    "message" TEXT NOT NULL,
    "ip_address" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "abuse_report_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "featured_entry" (
    "id" SERIAL NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "app" TEXT NOT NULL,
    "locale" TEXT,
    "category" TEXT,

    CONSTRAINT "featured_entry_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "collection" (
    "id" SERIAL NOT NULL,
    "path" CITEXT NOT NULL,
    "guids" TEXT[],

    CONSTRAINT "collection_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "replacement" (
    "id" SERIAL NOT NULL,
    "guid" CITEXT NOT NULL,
    "path" TEXT,
    "guids" TEXT[],

    CONSTRAINT "replacement_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "compat_override" (
    "id" SERIAL NOT NULL,
    "guid" CITEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "compat_override_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "compat_override_range" (
    "id" SERIAL NOT NULL,
    "override_id" INTEGER NOT NULL,
    "addon_min_version" TEXT NOT NULL,
    "addon_max_version" TEXT NOT NULL,
    "app" TEXT NOT NULL,
    "min_version" TEXT NOT NULL,
    "max_version" TEXT NOT NULL,

    CONSTRAINT "compat_override_range_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "recommendation_fallback" (
    "position" INTEGER NOT NULL,
    "guid" CITEXT NOT NULL,

    CONSTRAINT "recommendation_fallback_pkey" PRIMARY KEY ("position")
);

CREATE TABLE "application_version" (
    "app" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "code" BIGINT NOT NULL,

    CONSTRAINT "application_version_pkey" PRIMARY KEY ("app","version")
);

CREATE TABLE "daily_statistics" (
    "addon_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "users" INTEGER NOT NULL DEFAULT 0,
    "downloads" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "daily_statistics_pkey" PRIMARY KEY ("addon_id","day")
);

CREATE TABLE "service_state" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_state_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

CREATE UNIQUE INDEX "account_username_key" ON "account"("username");

CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

CREATE UNIQUE INDEX "account_idp_id_key" ON "account"("idp_id");

CREATE UNIQUE INDEX "permission_group_name_key" ON "permission_group"("name");

CREATE INDEX "group_member_account_id_idx" ON "group_member"("account_id");

CREATE UNIQUE INDEX "api_key_key_key" ON "api_key"("key");

CREATE INDEX "api_key_account_id_idx" ON "api_key"("account_id");

CREATE UNIQUE INDEX "access_token_hash_key" ON "access_token"("hash");

CREATE INDEX "access_token_account_id_idx" ON "access_token"("account_id");

CREATE INDEX "spent_token_expires_idx" ON "spent_token"("expires");

CREATE UNIQUE INDEX "addon_guid_key" ON "addon"("guid");

CREATE UNIQUE INDEX "addon_slug_key" ON "addon"("slug");

CREATE UNIQUE INDEX "addon_current_version_id_key" ON "addon"("current_version_id");

CREATE INDEX "addon_status_type_idx" ON "addon"("status", "type");

CREATE INDEX "addon_author_account_id_idx" ON "addon_author"("account_id");

CREATE UNIQUE INDEX "category_app_type_slug_key" ON "category"("app", "type", "slug");

CREATE INDEX "addon_category_category_id_idx" ON "addon_category"("category_id");

CREATE INDEX "addon_tag_tag_idx" ON "addon_tag"("tag");

CREATE INDEX "preview_addon_id_idx" ON "preview"("addon_id");

CREATE UNIQUE INDEX "license_builtin_key" ON "license"("builtin");

CREATE INDEX "version_addon_id_created_idx" ON "version"("addon_id", "created");

CREATE INDEX "file_version_id_idx" ON "file"("version_id");

CREATE INDEX "file_sha256_idx" ON "file"("sha256");

CREATE UNIQUE INDEX "upload_pk_key" ON "upload"("pk");

CREATE UNIQUE INDEX "upload_version_id_key" ON "upload"("version_id");

CREATE INDEX "upload_addon_id_created_idx" ON "upload"("addon_id", "created");

CREATE INDEX "upload_account_id_idx" ON "upload"("account_id");

CREATE UNIQUE INDEX "signing_certificate_serial_key" ON "signing_certificate"("serial");

CREATE UNIQUE INDEX "signing_certificate_previous_hash_key" ON "signing_certificate"("previous_hash");

CREATE UNIQUE INDEX "signing_certificate_hash_key" ON "signing_certificate"("hash");

CREATE INDEX "signing_certificate_file_id_idx" ON "signing_certificate"("file_id");

CREATE INDEX "activity_addon_id_id_idx" ON "activity"("addon_id", "id");

CREATE INDEX "activity_version_id_id_idx" ON "activity"("version_id", "id");

CREATE INDEX "activity_account_id_id_idx" ON "activity"("account_id", "id");

CREATE UNIQUE INDEX "audit_entry_previous_hash_key" ON "audit_entry"("previous_hash");

CREATE UNIQUE INDEX "audit_entry_hash_key" ON "audit_entry"("hash");

CREATE UNIQUE INDEX "reply_token_token_key" ON "reply_token"("token");

CREATE UNIQUE INDEX "reply_token_version_id_account_id_key" ON "reply_token"("version_id", "account_id");

CREATE INDEX "abuse_report_addon_id_idx" ON "abuse_report"("addon_id");

CREATE INDEX "abuse_report_account_id_idx" ON "abuse_report"("account_id");

CREATE INDEX "featured_entry_app_idx" ON "featured_entry"("app");

CREATE INDEX "featured_entry_addon_id_idx" ON "featured_entry"("addon_id");

CREATE UNIQUE INDEX "collection_path_key" ON "collection"("path");

CREATE UNIQUE INDEX "replacement_guid_key" ON "replacement"("guid");

CREATE UNIQUE INDEX "compat_override_guid_key" ON "compat_override"("guid");

CREATE INDEX "compat_override_range_override_id_idx" ON "compat_override_range"("override_id");

CREATE UNIQUE INDEX "recommendation_fallback_guid_key" ON "recommendation_fallback"("guid");

ALTER TABLE "group_member" ADD CONSTRAINT "group_member_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "permission_group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "group_member" ADD CONSTRAINT "group_member_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "access_token" ADD CONSTRAINT "access_token_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "notification_setting" ADD CONSTRAINT "notification_setting_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "addon" ADD CONSTRAINT "addon_current_version_id_fkey" FOREIGN KEY ("current_version_id") REFERENCES "version"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "addon" ADD CONSTRAINT "addon_license_id_fkey" FOREIGN KEY ("license_id") REFERENCES "license"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "addon_author" ADD CONSTRAINT "addon_author_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "addon_author" ADD CONSTRAINT "addon_author_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "addon_category" ADD CONSTRAINT "addon_category_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "addon_category" ADD CONSTRAINT "addon_category_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "category"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "addon_tag" ADD CONSTRAINT "addon_tag_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "preview" ADD CONSTRAINT "preview_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "persona" ADD CONSTRAINT "persona_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "version" ADD CONSTRAINT "version_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "version" ADD CONSTRAINT "version_license_id_fkey" FOREIGN KEY ("license_id") REFERENCES "license"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "version_compatibility" ADD CONSTRAINT "version_compatibility_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "file" ADD CONSTRAINT "file_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "download_count" ADD CONSTRAINT "download_count_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "file"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "upload" ADD CONSTRAINT "upload_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "upload" ADD CONSTRAINT "upload_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "upload" ADD CONSTRAINT "upload_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "upload" ADD CONSTRAINT "upload_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "activity" ADD CONSTRAINT "activity_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "activity" ADD CONSTRAINT "activity_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "activity" ADD CONSTRAINT "activity_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "reply_token" ADD CONSTRAINT "reply_token_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "reply_token" ADD CONSTRAINT "reply_token_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "abuse_report" ADD CONSTRAINT "abuse_report_reporter_id_fkey" FOREIGN KEY ("reporter_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "abuse_report" ADD CONSTRAINT "abuse_report_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "featured_entry" ADD CONSTRAINT "featured_entry_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "compat_override_range" ADD CONSTRAINT "compat_override_range_override_id_fkey" FOREIGN KEY ("override_id") REFERENCES "compat_override"("id") ON DELETE CASCADE ON UPDATE CASCADE;

