/*
 * The limits of the service, from the values that the code uses. docs/limits.md and the page /docs/limits/ show them. Texts may
 * contain `code` and links of Markdown.
 */

import { MAX_NOTE_LENGTH } from '../../domain/activity/note-text.ts';
import { MAX_ATTEMPTS, RETRY_SECONDS } from '../../domain/mail/deliver-mails.ts';
import { MAX_REPLIES } from '../../domain/mail/reply-address.ts';
import { MAX_PREVIEWS } from '../../domain/pictures/edit-previews.ts';
import { ICON_KIND, PERSONA_HEADER } from '../../domain/pictures/picture-kinds.ts';
import { CHECKS_PER_MINUTE, MAX_COUNTS } from '../../domain/updates/count-checks.ts';
import { MAX_WAITING } from '../../domain/updates/find-updates.ts';
import { MAX_WAITING_BYTES, MAX_WAITING_UPLOADS } from '../../domain/uploads/remove-uploads.ts';
import { CSRF_HEADER } from '../../execution/csrf.ts';
import { declaredCosts } from '../../execution/declared-costs.ts';
import { LIST_LENGTH, PAGE_SIZE, QUERY_LIMITS, RESPONSE_LIMIT_BYTES } from '../../graphql/query-cost.ts';
import { MAX_BYTES, MAX_JSON_DEPTH } from '../../http/small-body.ts';
import { MAX_PIXELS, MAX_SIDE } from '../../infra/pictures/inspect-picture.ts';
import { RATE_LIMITS } from '../../infra/rate-limits.ts';
import { UPLOAD_LIMIT_BYTES } from '../../infra/staging/staging.ts';
import { MAX_PERMISSIONS } from '../../package/manifest/web-extension.ts';
import { DEFAULT_ZIP_LIMITS } from '../../package/zip/zip-archive.ts';

/** Lines of a paragraph, or a table. */
export type LimitPart =
  | { lines: readonly string[] }
  | { columns: readonly string[]; rows: readonly (string | number)[][] };

/** Limits of one kind. */
interface LimitSection {
  title: string;
  parts: readonly LimitPart[];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
/** Names of periods, by their seconds. */
const PERIODS: Partial<Record<number, string>> = { 60: 'minute', 3600: 'hour', 86400: 'day' };
const period = (seconds: number): string => PERIODS[seconds] ?? `${seconds} s`;
const { archiveBytes, inflatedBytes, entryBytes, entries, ratio, nameBytes } = DEFAULT_ZIP_LIMITS;

/** All limits. */
export const SERVICE_LIMITS: readonly LimitSection[] = [
  {
    title: 'Rates',
    parts: [
      {
        lines: [
          'The setting `RATE_LIMITS` switches these on or off; the default is on, and off in the demo. All processes share the counts.',
          'Requests above a limit get 429, with the seconds to wait in the text and in `Retry-After`. An operation of GraphQL gets the code',
          '`THROTTLED` instead, with the seconds in `extensions.details.retryAfter`.',
        ],
      },
      {
        columns: ['What', 'At most', 'Counted per'],
        rows: [
          ...Object.values(RATE_LIMITS).map(({ what, per, points, seconds }) => [
            what,
            `${points} per ${period(seconds)}`,
            per,
          ]),
        ],
      },
    ],
  },
  {
    title: 'Sizes',
    parts: [
      {
        lines: [
          'A package above a limit is refused with 400 and a message that names the limit. Archives of source code have the same limits.',
        ],
      },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Upload', megabytes(UPLOAD_LIMIT_BYTES)],
          ['Archive', megabytes(archiveBytes)],
          ['All files of an archive, unpacked', megabytes(inflatedBytes)],
          ['One file, unpacked', megabytes(entryBytes)],
          ['Files in an archive', entries],
          ['Unpacked size to packed size of a file', `${ratio} to 1`],
          ['Name of a file, in UTF-8', `${nameBytes} bytes`],
          ['Distinct permissions', MAX_PERMISSIONS],
        ],
      },
      { lines: ['A picture above a limit is refused with `InvalidInputError` and a message that names the limit.'] },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Icon, preview, picture of an account', megabytes(ICON_KIND.limit.bytes)],
          ['Header or footer of a persona', `${PERSONA_HEADER.limit.bytes / 1024} KB`],
          ['Pixels of a picture', `${MAX_PIXELS / 1e6} million`],
          ['Width and height of a picture', `${MAX_SIDE} pixels`],
          ['Previews of an add-on', MAX_PREVIEWS],
        ],
      },
    ],
  },
  {
    title: 'Mail',
    parts: [
      {
        columns: ['What', 'At most'],
        rows: [
          [
            'Attempts to send a mail',
            `${MAX_ATTEMPTS}, ${RETRY_SECONDS.first} s to ${RETRY_SECONDS.most / 3600} hours apart`,
          ],
          ['Replies to one mail', `${MAX_REPLIES} within \`REPLY_ADDRESS_DAYS\` days`],
          ['Posted mail', `${MAX_BYTES / 1024} KB`],
          ['Note from a mail; the rest is cut', `${MAX_NOTE_LENGTH} characters`],
        ],
      },
    ],
  },
  {
    title: 'GraphQL',
    parts: [
      {
        lines: [
          `Requests whose content type needs no CORS preflight need the header \`${CSRF_HEADER}\`. [graphql.md](graphql.md) has the error codes.`,
        ],
      },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Request body, without files', `${MAX_BYTES / 1024} KB`],
          ['Levels of variables, and of extensions', MAX_JSON_DEPTH],
          ['Response, and each event of a subscription', megabytes(RESPONSE_LIMIT_BYTES)],
          ['Cost of an operation', QUERY_LIMITS.complexity],
          ['Depth', `${QUERY_LIMITS.depth} levels`],
          ['Aliases', QUERY_LIMITS.aliases],
          ['Directives', QUERY_LIMITS.directives],
          ['Tokens of a query', QUERY_LIMITS.tokens],
          ['Introspection', 'no aliases, no list of fields or types within another one'],
          ['Items of a page', `${PAGE_SIZE.max}; default ${PAGE_SIZE.default}`],
          ['Operations of a request', 1],
          ['Files of a request', 1],
        ],
      },
      {
        lines: [
          'The cost of an operation is its number of fields, those below a list once for each item that the arguments allow. A list without',
          `pages counts as ${LIST_LENGTH} items, and a field costs 1, unless this table has another number.`,
        ],
      },
      {
        columns: ['Field', 'Items', 'Cost'],
        rows: declaredCosts().map(({ name, items = '', cost = 1 }) => [`\`${name}\``, items, cost]),
      },
    ],
  },
  {
    title: 'Update checks and downloads',
    parts: [
      {
        lines: [
          'Each process has limits of its own. Checks and downloads above the limit of an address (IPv6: /64) get their response, but do not count.',
        ],
      },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Counted checks of one address', `${CHECKS_PER_MINUTE} per minute`],
          ['Counted checks of one address for one add-on', '`UPDATE_CHECKS_PER_NETWORK` per day (UTC)'],
          ['Counted downloads of one address of one add-on', '`DOWNLOADS_PER_NETWORK` per day (UTC)'],
          ['Different counts between two writes, by add-on, application and version', MAX_COUNTS],
          ['Counts by application and version are kept', '`UPDATE_CHECK_RETENTION_DAYS` days'],
          ['Responses in memory', '`UPDATE_MEMORY_MB` MB, an eighth of it for ids without updates'],
          ['Checks that wait for the database; further ones get 503', MAX_WAITING],
        ],
      },
    ],
  },
  {
    title: 'Uploads that are not submitted',
    parts: [
      { lines: ['The oldest ones of an account are removed above these limits.'] },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Number, of one account', MAX_WAITING_UPLOADS],
          ['Size together, of one account', megabytes(MAX_WAITING_BYTES)],
          ['Age', '`UPLOAD_RETENTION_DAYS` days'],
        ],
      },
    ],
  },
  {
    title: 'Times',
    parts: [
      {
        columns: ['What', 'At most'],
        rows: [
          ['Lifetime of a one-time token (`exp` less `iat`)', '300 s'],
          ['A token’s `iat` ahead of the service’s clock', '30 s'],
          ['Lifetime of an access token, by default', '30 days'],
          [
            'One validation',
            '`VALIDATOR_TIMEOUT` seconds of processor time, five times as long by the clock (see [settings.md](settings.md))',
          ],
          ['One request, body included', '300 s'],
          ['Running requests and jobs at a shutdown', '30 s'],
        ],
      },
    ],
  },
  {
    title: 'Connections',
    parts: [
      {
        lines: [
          'Settings in [settings.md](settings.md); a proxy in `TRUSTED_PROXIES` is exempt from the limit per address.',
        ],
      },
      {
        columns: ['What', 'At most'],
        rows: [
          ['Connections of one address', '`CONNECTIONS_PER_ADDRESS`'],
          ['Event streams of one address', '`EVENT_STREAMS_PER_ADDRESS`'],
          ['Unread response data of a connection', '`SEND_BUFFER_MB` MB for ten seconds'],
          ['A response that makes no progress', '`SEND_TIMEOUT` seconds'],
          ['Open uploads of an account, in one web process', '`STAGING_ACCOUNT_MB` MB'],
          ['Open uploads of all accounts, in one web process', '`STAGING_QUOTA_MB` MB'],
          ['Searches that wait for a database connection', '`SEARCH_QUEUE`; further ones get 503 within half a second'],
        ],
      },
      {
        lines: [
          'Each web process counts its own open uploads, so the disk needs room for `STAGING_QUOTA_MB` for each of them. An account',
          'reaches its limit in every process separately; the other accounts can use the rest of the quota there. Keep',
          '`STAGING_ACCOUNT_MB` well below `STAGING_QUOTA_MB`.',
        ],
      },
    ],
  },
];
