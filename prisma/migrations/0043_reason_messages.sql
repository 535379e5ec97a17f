-- Why a version or an upload has its stage: the words of a reviewer as text, a message of the service as code and parameters.
ALTER TABLE version
  ADD COLUMN reason_message jsonb,
  ADD CONSTRAINT version_reason_is_one CHECK (num_nonnulls(reason, reason_message) <= 1);
ALTER TABLE upload
  ADD COLUMN reason_message jsonb,
  ADD CONSTRAINT upload_reason_is_one CHECK (num_nonnulls(reason, reason_message) <= 1),
  ADD CONSTRAINT upload_reason_message_while_waiting CHECK (version_id IS NULL OR reason_message IS NULL);

-- The code and parameters of a stored English text; NULL for other texts, which stay.
CREATE FUNCTION pg_temp.reason_message_of(reason text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN reason ~ '^Validation found \d{1,9} errors?\.$' THEN jsonb_build_object('code', 'validation.errors_found',
      'params', jsonb_build_object('count', substring(reason FROM '\d+')::int))
    WHEN reason ~ '^The validator broke down \(.*\)\. It was tried \d{1,9} times\.$' THEN jsonb_build_object('code',
      'validation.broke_down', 'params', jsonb_build_object('problem', substring(reason FROM '\((.*)\)\. It was tried'),
        'attempts', substring(reason FROM '(\d+) times\.$')::int))
    WHEN reason = 'Invalid archive. The names of its files are too many and too long to be signed.' THEN
      '{"code": "package.names_too_long_to_sign", "params": {}}'::jsonb
  END $$;

UPDATE version SET reason_message = pg_temp.reason_message_of(reason), reason = NULL
WHERE stage IN ('invalid', 'error') AND pg_temp.reason_message_of(reason) IS NOT NULL;
UPDATE upload SET reason_message = pg_temp.reason_message_of(reason), reason = NULL
WHERE pg_temp.reason_message_of(reason) IS NOT NULL;
