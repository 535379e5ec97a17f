-- Invitations to become an author of an add-on that the invited account has not answered. A row that has expired gives no right and
-- is replaced by the next invitation.
CREATE TABLE "author_invitation" (
    "id" SERIAL NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "listed" BOOLEAN NOT NULL,
    "invited_by" INTEGER NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "author_invitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT author_invitation_role_known CHECK (role IN ('owner', 'developer'))
);
CREATE UNIQUE INDEX "author_invitation_addon_id_account_id_key" ON "author_invitation"("addon_id", "account_id");
CREATE INDEX "author_invitation_account_id_idx" ON "author_invitation"("account_id");
CREATE INDEX "author_invitation_invited_by_idx" ON "author_invitation"("invited_by");
ALTER TABLE "author_invitation" ADD CONSTRAINT "author_invitation_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "author_invitation" ADD CONSTRAINT "author_invitation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "author_invitation" ADD CONSTRAINT "author_invitation_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
