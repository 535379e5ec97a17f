-- Look-ups in the public signature log by add-on and version.
CREATE INDEX "signing_certificate_guid_version_idx" ON "signing_certificate"("guid", "version");
