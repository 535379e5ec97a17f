-- The add-on that a package was uploaded for, before it is submitted as a version. Packages without an id do not name it.
ALTER TABLE "upload" ADD COLUMN "target_addon_id" INTEGER;

ALTER TABLE "upload" ADD CONSTRAINT "upload_target_addon_id_fkey" FOREIGN KEY ("target_addon_id") REFERENCES "addon"("id") ON DELETE SET NULL ON UPDATE CASCADE;
