-- Drafts of comments on lines end with their version or account. Sent comments stay with their notes.
CREATE OR REPLACE FUNCTION delete_line_drafts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'version' THEN
    DELETE FROM line_comment WHERE version_id = NEW.id AND activity_id IS NULL;
  ELSE
    DELETE FROM line_comment WHERE account_id = NEW.id AND activity_id IS NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER delete_line_drafts AFTER UPDATE OF deleted_at ON version
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_line_drafts();
CREATE OR REPLACE TRIGGER delete_line_drafts AFTER UPDATE OF deleted_at ON account
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_line_drafts();
