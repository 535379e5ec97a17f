-- A sign-in at the identity provider that has started and not ended. The state and the browser's cookie are stored as SHA-256.
CREATE TABLE "login_attempt" (
    "state_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "nonce" TEXT NOT NULL,
    "verifier" TEXT NOT NULL,
    "next_path" TEXT,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "login_attempt_pkey" PRIMARY KEY ("state_hash")
);

CREATE INDEX "login_attempt_expires_idx" ON "login_attempt"("expires");

-- A browser's session for pages. It ends with the access token that the same sign-in issued.
CREATE TABLE "page_session" (
    "access_token_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_session_pkey" PRIMARY KEY ("access_token_id")
);

CREATE UNIQUE INDEX "page_session_hash_key" ON "page_session"("hash");

CREATE INDEX "page_session_expires_idx" ON "page_session"("expires");

ALTER TABLE "page_session" ADD CONSTRAINT "page_session_access_token_id_fkey" FOREIGN KEY ("access_token_id") REFERENCES "access_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;
