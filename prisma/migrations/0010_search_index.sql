-- The indexes on the search server, where there is one. One is live; another may be being built; the one before is kept up to
-- date for a while, so that going back is a change of an alias.
CREATE TABLE "search_index" (
    "name" TEXT NOT NULL,
    "schema_hash" TEXT NOT NULL,
    "lexer" INTEGER NOT NULL,
    "result_window" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'building',
    "backfilled_to" INTEGER NOT NULL DEFAULT 0,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired" TIMESTAMPTZ(3),

    CONSTRAINT "search_index_pkey" PRIMARY KEY ("name"),
    CONSTRAINT search_index_state_known CHECK (state IN ('building', 'live', 'retired'))
);
CREATE UNIQUE INDEX search_index_live ON search_index (state) WHERE state = 'live';
