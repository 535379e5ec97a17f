-- Source code that developers attach to a version for its reviewers.
CREATE TABLE "version_source" (
    "version_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "version_source_pkey" PRIMARY KEY ("version_id")
);

CREATE INDEX "version_source_sha256_idx" ON "version_source"("sha256");

ALTER TABLE "version_source" ADD CONSTRAINT "version_source_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Its note is one of the thread of a version.
DROP INDEX activity_review_notes;
CREATE INDEX activity_review_notes ON activity (version_id, created DESC, id DESC) WHERE action IN
  ('approved', 'rejected', 'review-requested', 'more-information-requested', 'super-review-requested', 'comment', 'review-note',
   'source-code-uploaded');

-- Addresses at which installed unlisted add-ons look for updates. The address contains a key, of which only the hash is stored.
CREATE TABLE "update_address" (
    "id" SERIAL NOT NULL,
    "guid" CITEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "addon_id" INTEGER,
    "key_hash" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended" TIMESTAMPTZ(3),

    CONSTRAINT "update_address_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "update_address_key_hash_key" ON "update_address"("key_hash");

CREATE INDEX "update_address_guid_idx" ON "update_address"("guid");

CREATE INDEX "update_address_account_id_idx" ON "update_address"("account_id");

CREATE INDEX "update_address_addon_id_idx" ON "update_address"("addon_id");

ALTER TABLE "update_address" ADD CONSTRAINT "update_address_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "update_address" ADD CONSTRAINT "update_address_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE SET NULL ON UPDATE CASCADE;
