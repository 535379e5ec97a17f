-- Packages with APIs of their own (experiments) are validated by the rules of privileged add-ons.
ALTER TABLE file ADD COLUMN is_experiment BOOLEAN NOT NULL DEFAULT false;
