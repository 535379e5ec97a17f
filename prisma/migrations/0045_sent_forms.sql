-- Forms of pages that were sent in the last 24 hours: a form that arrives again does not act again. The hash is that of the sender, the
-- address, the id that the form was made with, and all that was typed.
CREATE TABLE "sent_form" (
    "hash" BYTEA NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished" TIMESTAMPTZ(3),
    "location" TEXT,

    CONSTRAINT "sent_form_pkey" PRIMARY KEY ("hash")
);

CREATE INDEX "sent_form_created_idx" ON "sent_form"("created");
