-- What is offered under a licence: who may see that may read the text, and a licence that is used is kept.
CREATE INDEX "addon_license_id_idx" ON "addon"("license_id");
CREATE INDEX "version_license_id_idx" ON "version"("license_id");
