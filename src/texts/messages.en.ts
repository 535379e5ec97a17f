/*
 * The English messages by code, sorted by code. REST returns these texts: those that the contract documents stay as they are. Plural
 * forms are entries of their own: `code#one`, `code#other`. `docs/contributing.md` says how to add a message.
 */
export const MESSAGES_EN = {
  'account.last_administrator':
    'This is the last account with the permission *:*. Give the permission to another account first.',
  'file.unusable': 'This file is lost or damaged on the server. Contact the operator.',
  'identity.invalid_subject': "The subject is the provider's name for the person: 1 to 255 printable ASCII characters.",
  'identity.last': 'This is the only way to sign in to the account. Add another one first.',
  'identity.taken': 'This identity belongs to another account.',
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
  'sign_in.identity_not_linked':
    'An account has this e-mail address, but not this way to sign in. Sign in the way you did before, then add this one on the page of your account.',
  'sign_in.identity_taken': 'This way to sign in belongs to another account.',
  'sign_in.no_code': 'The identity provider returned no code.',
  'sign_in.no_profile': 'The identity provider did not confirm an identity with a usable e-mail address.',
  'sign_in.not_recent':
    'Your last sign-in was too long ago. Sign in again: this needs a page session or access token of a sign-in of the last 15 minutes. API keys do not suffice.',
  'sign_in.state_mismatch': 'This sign-in was started in another browser, has expired or was used before.',
  'signing.addon_deleted': 'The add-on is deleted.',
  'signing.addon_disabled': 'The operator disabled the add-on.',
  'signing.uploader_disabled': 'The account that uploaded it is disabled.',
  'source.too_slow':
    'Invalid or broken archive. Reading it takes more than {seconds} seconds of processor time. Send the source code as .zip or .tar.gz.',
  'token.access_token_expired':
    'Signature has expired. The access token was valid until {time}; sign in again or create another one.',
  'token.account_disabled': 'User account is disabled.',
  'token.agreement_not_accepted': 'User has not read developer agreement.',
  'token.bad_checksum':
    'Error decoding signature. The checksum of the access token is wrong: a part of it is missing or was changed.',
  'token.bad_signature': 'Error decoding signature.',
  'token.bearer_under_jwt':
    'Error decoding signature. The scheme "JWT" takes tokens that an API key signs; send an access token with the scheme "Bearer".',
  'token.claim_missing': 'Invalid JWT: Token is missing the "{claim}" claim.',
  'token.claim_not_seconds':
    'Wrong type for one or more keys in payload: "{claim}" is {type}, not a number of seconds since 1970.',
  'token.claim_not_text': 'Wrong type for one or more keys in payload: "{claim}" is {type}, not a string.',
  'token.claim_out_of_range':
    'Wrong type for one or more keys in payload: "{claim}" is too large for a number of seconds since 1970.',
  'token.critical_header': 'Error decoding signature. The header of the token has "crit", which is not supported.',
  'token.exp_in_milliseconds':
    'JWT exp (expiration) is too long. exp seems to be in milliseconds; send seconds since 1970, now {now}.',
  'token.exp_not_after_iat': 'JWT exp (expiration) is not after iat. exp is {exp}, iat is {iat}.',
  'token.exp_too_long': 'JWT exp (expiration) is too long. exp is {lifetime} s after iat; at most {max} s are allowed.',
  'token.expired': 'Signature has expired. Server time is {time}, skew {skew} s.',
  'token.has_spaces': 'Invalid Authorization header. Credentials string should not contain spaces.',
  'token.iat_ahead':
    'JWT iat (issued at time) is invalid. Make sure your system clock is synchronized with something like TLSdate. Server time is {time}, skew {skew} s.',
  'token.iat_in_milliseconds':
    'JWT iat (issued at time) is invalid. iat seems to be in milliseconds; send seconds since 1970, now {now}.',
  'token.jwt_under_bearer':
    'Error decoding signature. The scheme "Bearer" takes access tokens; send the token of an API key with the scheme "JWT".',
  'token.key_as_token':
    'Error decoding signature. This is an API key, not a token: sign a JSON Web Token with its secret and send that.',
  'token.key_expired':
    'API key has expired. It was valid until {time}; create another one on the page of your API keys.',
  'token.no_credentials': 'Invalid Authorization header. No credentials provided.',
  'token.no_issuer': 'JWT iss (issuer) claim is missing.',
  'token.no_scheme':
    'Authentication credentials were not provided. The Authorization header has a token without a scheme; send "JWT" and a token of an API key, or "Bearer" and an access token.',
  'token.nonce_control': 'Invalid JWT: "jti" is not a nonce. It has a control character, such as a line end.',
  'token.nonce_length': 'Invalid JWT: "jti" is not a nonce. It has {length} characters; use 1 to {max}.',
  'token.nonce_not_text': 'Invalid JWT: "jti" is not a nonce. It is {type}, not a string or a number.',
  'token.not_access_token':
    'Error decoding signature. The text after "Bearer" is no access token: those begin with "{prefix}".',
  'token.not_three_parts':
    'Error decoding signature. A JSON Web Token has 3 parts with dots between them; this one has {parts}.',
  'token.not_yet_valid':
    'Invalid JWT Token. nbf is {nbf}, which is not yet reached. Server time is {time}, skew {skew} s.',
  'token.refreshable': "API key based tokens are not refreshable, don't include `orig_iat` in their payload.",
  'token.replayed': 'JWT jti has already been used.',
  'token.unknown_access_token': 'Incorrect authentication credentials.',
  'token.unknown_scheme':
    'Authentication credentials were not provided. The Authorization header has the scheme "{scheme}"; send "JWT" and a token of an API key, or "Bearer" and an access token.',
  'token.unreadable_claims':
    'Error decoding signature. The claims of the token, its second part, are not a JSON object in base64url.',
  'token.unreadable_header':
    'Error decoding signature. The header of the token, its first part, is not a JSON object in base64url.',
  'token.wrong_algorithm': 'Error decoding signature. The header of the token must have "alg": "HS256".',
  'upload.not_valid': 'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).',
  'upload.warnings_not_read': 'Confirm that you have read the warnings of the validation.',
  'validation.broke_down': 'The validator broke down ({problem}). It was tried {attempts} times.',
  'validation.errors_found#one': 'Validation found {count} error.',
  'validation.errors_found#other': 'Validation found {count} errors.',
} as const;

/** Texts for pages in English, in place of messages with advice for programs. */
export const PAGE_MESSAGES_EN: Readonly<Record<string, string>> = {
  'upload.not_valid': 'This upload is not valid or has expired. Upload the file again.',
};
