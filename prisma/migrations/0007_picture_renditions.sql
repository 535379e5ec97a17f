-- What was made of a picture that an add-on or a persona names by its hash: sizes of an icon, preview and icon of a persona.
CREATE TABLE "picture_rendition" (
    "source_sha256" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "stored" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "picture_rendition_pkey" PRIMARY KEY ("source_sha256", "name")
);

CREATE INDEX "picture_rendition_sha256_idx" ON "picture_rendition"("sha256");
