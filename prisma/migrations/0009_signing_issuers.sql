-- Which intermediate certificate issued a certificate of the signature log: the SHA-256 of its DER, hex. Null for entries of release 0.1.0.
ALTER TABLE signing_certificate ADD COLUMN issuer_sha256 text;
