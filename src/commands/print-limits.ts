/* Writes docs/limits.md from the limits in the code: `npm run generate:docs`. A test fails while it is stale. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_ATTEMPTS, RETRY_SECONDS } from '../domain/mail/deliver-mails.ts';
import { MAX_PREVIEWS } from '../domain/pictures/edit-previews.ts';
import { ICON, PERSONA_HEADER } from '../domain/pictures/picture-kinds.ts';
import { MAX_REPLIES } from '../domain/reviewing/inbound-mail.ts';
import { MAX_NOTE_LENGTH } from '../domain/reviewing/review-text.ts';
import { MAX_WAITING_BYTES, MAX_WAITING_UPLOADS } from '../domain/signing/remove-uploads.ts';
import { KEPT_DAYS } from '../domain/statistics/estimate-users.ts';
import { CHECKS_PER_MINUTE, MAX_COUNTS } from '../domain/updates/count-checks.ts';
import { MAX_WAITING } from '../domain/updates/find-updates.ts';
import { CSRF_HEADER } from '../graphql/csrf.ts';
import { INTROSPECTION_FACTOR, INTROSPECTIONS_PER_SECOND } from '../graphql/introspection.ts';
import { PAGE_SIZE, QUERY_LIMITS, RESPONSE_LIMIT_BYTES } from '../graphql/query-cost.ts';
import { MAX_BYTES, MAX_JSON_DEPTH } from '../http/small-body.ts';
import { MAX_PIXELS } from '../infra/pictures/inspect-picture.ts';
import { RATE_LIMITS } from '../infra/rate-limits.ts';
import { UPLOAD_LIMIT_BYTES } from '../infra/staging/staging.ts';
import { MAX_PERMISSIONS } from '../package/manifest/web-extension.ts';
import { DEFAULT_ZIP_LIMITS } from '../package/zip/read-zip.ts';

/** Path of the file. */
export const LIMITS_FILE = join(import.meta.dirname, '../../docs/limits.md');

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
const period = (seconds: number): string => (seconds === 60 ? 'minute' : seconds === 3600 ? 'hour' : `${seconds} s`);
const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The text of docs/limits.md. */
export function limitsMarkdown(): string {
  const { archiveBytes, inflatedBytes, entryBytes, entries, ratio, nameBytes } = DEFAULT_ZIP_LIMITS;
  return [
    '# Limits',
    '',
    '<!-- Written by `npm run generate:docs`; src/commands/print-limits.ts names the sources. -->',
    '',
    '## Rates',
    '',
    'The setting `RATE_LIMITS` switches these on or off; the default is on, and off in the demo. Requests above a limit get 429,',
    'with the seconds to wait in the text and in `Retry-After`. All processes share the counts.',
    '',
    row('What', 'At most', 'Counted per'),
    row('---', '---', '---'),
    ...Object.values(RATE_LIMITS).map(({ what, per, points, seconds }) =>
      row(what, `${points} per ${period(seconds)}`, per),
    ),
    '',
    '## Sizes',
    '',
    'A package above a limit is refused with 400 and a message that names the limit. Archives of source code have the same limits.',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Upload', megabytes(UPLOAD_LIMIT_BYTES)),
    row('Archive', megabytes(archiveBytes)),
    row('All files of an archive, unpacked', megabytes(inflatedBytes)),
    row('One file, unpacked', megabytes(entryBytes)),
    row('Files in an archive', entries),
    row('Unpacked size to packed size of a file', `${ratio} to 1`),
    row('Name of a file, in UTF-8', `${nameBytes} bytes`),
    row('Distinct permissions', MAX_PERMISSIONS),
    '',
    'A picture above a limit is refused with `InvalidInputError` and a message that names the limit.',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Icon, preview, picture of an account', megabytes(ICON.limit.bytes)),
    row('Header or footer of a persona', `${PERSONA_HEADER.limit.bytes / 1024} KB`),
    row('Pixels of a picture', `${MAX_PIXELS / 1e6} million`),
    row('Previews of an add-on', MAX_PREVIEWS),
    '',
    '## Mail',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row(
      'Attempts to send a mail',
      `${MAX_ATTEMPTS}, ${RETRY_SECONDS.first} s to ${RETRY_SECONDS.most / 3600} hours apart`,
    ),
    row('Replies to one mail', MAX_REPLIES),
    row('Posted mail', `${MAX_BYTES / 1024} KB`),
    row('Note from a mail; the rest is cut', `${MAX_NOTE_LENGTH} characters`),
    '',
    '## GraphQL',
    '',
    `Requests whose content type needs no CORS preflight need the header \`${CSRF_HEADER}\`. [graphql.md](graphql.md) has the error codes.`,
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Request body, without files', `${MAX_BYTES / 1024} KB`),
    row('Levels of variables, and of extensions', MAX_JSON_DEPTH),
    row('Response', megabytes(RESPONSE_LIMIT_BYTES)),
    row('Cost of an operation', QUERY_LIMITS.complexity),
    row('Depth', `${QUERY_LIMITS.depth} levels`),
    row('Aliases', QUERY_LIMITS.aliases),
    row('Directives', QUERY_LIMITS.directives),
    row('Tokens of a query', QUERY_LIMITS.tokens),
    row('Introspection', `${INTROSPECTION_FACTOR} times the fields of the standard query`),
    row('Introspection that no cache has, of one process', `${INTROSPECTIONS_PER_SECOND} standard queries a second`),
    row('Items of a page', `${PAGE_SIZE.max}; default ${PAGE_SIZE.default}`),
    row('Operations of a request', 1),
    row('Files of a request', 1),
    '',
    '## Update checks',
    '',
    'Each process has limits of its own. Checks above the limit of a sender get their response, but count as no user.',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Counted checks of one address (IPv6: /64)', `${CHECKS_PER_MINUTE} per minute`),
    row('Different counts between two writes, by add-on, application and version', MAX_COUNTS),
    row('Counts by application and version are kept', `${KEPT_DAYS} days`),
    row('Responses in memory', '`UPDATE_MEMORY_MB` MB, an eighth of it for ids without updates'),
    row('Checks that wait for the database; further ones get 503', MAX_WAITING),
    '',
    '## Uploads that are not submitted',
    '',
    'The oldest ones of an account are removed above these limits.',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Number, of one account', MAX_WAITING_UPLOADS),
    row('Size together, of one account', megabytes(MAX_WAITING_BYTES)),
    row('Age', '`UPLOAD_RETENTION_DAYS` days'),
    '',
    '## Times',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Lifetime of a one-time token (`exp` less `iat`)', '300 s'),
    row('A token’s `iat` ahead of the service’s clock', '30 s'),
    row('Lifetime of an access token, by default', '30 days'),
    row('One validation', '`VALIDATOR_TIMEOUT` seconds (see [settings.md](settings.md))'),
    row('One request, body included', '300 s'),
    row('Running requests and jobs at a shutdown', '30 s'),
    '',
    '## Connections',
    '',
    'Settings in [settings.md](settings.md); a proxy in `TRUSTED_PROXIES` is exempt from the limit per address.',
    '',
    row('What', 'At most'),
    row('---', '---'),
    row('Connections of one address', '`CONNECTIONS_PER_ADDRESS`'),
    row('Unread response data of a connection', '`SEND_BUFFER_MB` MB for ten seconds'),
    row('A response that makes no progress', '`SEND_TIMEOUT` seconds'),
    row('Open uploads of an account, in one web process', '`STAGING_ACCOUNT_MB` MB'),
    row('Open uploads of all accounts, in one web process', '`STAGING_QUOTA_MB` MB'),
    row('Searches that wait for a database connection', '`SEARCH_QUEUE`'),
    '',
    'Each web process counts its own open uploads, so the disk needs room for `STAGING_QUOTA_MB` for each of them. An account',
    'reaches its limit in every process separately; the other accounts can use the rest of the quota there. Keep',
    '`STAGING_ACCOUNT_MB` well below `STAGING_QUOTA_MB`.',
    '',
  ].join('\n');
}

if (import.meta.main) await writeFile(LIMITS_FILE, limitsMarkdown());
