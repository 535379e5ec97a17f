/*
 * The English messages by code, sorted by code. REST returns these texts: those that the contract documents stay as they are. Plural
 * forms are entries of their own: `code#one`, `code#other`. `docs/contributing.md` says how to add a message.
 */
export const MESSAGES_EN = {
  'account.last_administrator':
    'This is the last account with the permission *:*. Give the permission to another account first.',
  'file.unusable': 'This file is lost or damaged on the server. Contact the operator.',
  'package.lost': 'The store has lost the package.',
  'package.names_too_long_to_sign': 'Invalid archive. The names of its files are too many and too long to be signed.',
  'package.other_applications':
    'Cannot find min/max version. Your install.rdf targets other applications only: {ids}. Add a targetApplication of a supported one.',
  'package.replaced': 'The stored package differs from the one that was uploaded.',
  'package.trailing_bytes#one':
    'Could not parse the manifest file. {count} byte follows the end of the archive; write it to a file instead of to standard output.',
  'package.trailing_bytes#other':
    'Could not parse the manifest file. {count} bytes follow the end of the archive; write it to a file instead of to standard output.',
  'package.two_names':
    'Invalid file name in archive: {name} is also named {path}. Pack with UTF-8 names, for example with the environment variable LC_ALL=C.UTF-8.',
  'package.unusable_target':
    'Cannot find min/max version. The range {min} to {max} of {app} in your install.rdf has no known version.',
  'request.method_not_allowed': 'Method "{method}" not allowed.',
  'request.not_found': 'Not found.',
  'request.not_permitted': 'You do not have permission to perform this action.',
  'request.throttled#one': 'Request was throttled. Expected available in {count} second.',
  'request.throttled#other': 'Request was throttled. Expected available in {count} seconds.',
  'request.unauthenticated': 'Authentication credentials were not provided.',
  'service.unavailable': 'The service is temporarily unavailable.',
  'sign_in.no_code': 'The identity provider returned no code.',
  'sign_in.no_profile': 'The identity provider did not confirm an identity with a usable e-mail address.',
  'sign_in.state_mismatch': 'This sign-in was started in another browser, has expired or was used before.',
  'signing.addon_deleted': 'The add-on is deleted.',
  'signing.addon_disabled': 'The operator disabled the add-on.',
  'signing.uploader_disabled': 'The account that uploaded it is disabled.',
  'upload.not_valid': 'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).',
  'validation.broke_down': 'The validator broke down ({problem}). It was tried {attempts} times.',
  'validation.errors_found#one': 'Validation found {count} error.',
  'validation.errors_found#other': 'Validation found {count} errors.',
} as const;

/** Texts for pages in English, in place of messages with advice for programs. */
export const PAGE_MESSAGES_EN: Readonly<Record<string, string>> = {
  'upload.not_valid': 'This upload is not valid or has expired. Upload the file again.',
};
