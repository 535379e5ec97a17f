/* Checks of staged lines as SQL, and those of ratings. Each returns line and key, and code and parameters of the message. */
import type { MessageCode, MessageParameterNames } from '../../texts/message-types.ts';
import type { StagedTable } from './staging.ts';

/**
 * SQL: rows that repeat an earlier line. `key` and `columns` are SQL expressions; none of the columns is null. The subquery
 * selects duplicated values by hash, because sorting all lines takes ten times as long.
 */
export const duplicatesSql = (table: StagedTable, key: string, columns: string, where = 'true'): string => `
  SELECT line, key, 'line.same_as' AS code, json_build_object('line', first::text) AS params FROM (
    SELECT line, ${key} AS key, lag(line) OVER (PARTITION BY ${columns} ORDER BY line) AS first FROM ${table}
    WHERE ${where} AND (${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${where} GROUP BY ${columns} HAVING count(*) > 1)
  ) AS repeated WHERE first IS NOT NULL`;

/** SQL: rows of `from` that match `condition`, with a message. `from`, `condition`, `key` and the values of `params` are SQL. */
export function matchesSql<Code extends MessageCode>(
  from: string,
  condition: string,
  key: string,
  code: Code,
  params: Readonly<Record<MessageParameterNames<Code>, string>>,
): string {
  const pairs = Object.entries<string>(params).map(([name, value]) => `'${name}', ${value}::text`);
  return `SELECT s.line, ${key} AS key, '${code}' AS code, json_build_object(${pairs.join(', ')}) AS params FROM ${from} WHERE ${condition}`;
}

/** SQL: rows whose add-on is neither in the catalogue nor on an earlier line. */
export const unknownAddon = (table: StagedTable, key: string): string =>
  matchesSql(
    `${table} s`,
    `NOT EXISTS (SELECT FROM addon a WHERE a.guid = s.guid)
      AND NOT EXISTS (SELECT FROM s_addon a WHERE a.guid = s.guid AND a.line < s.line)`,
    `'${key}'`,
    'line.no_addon',
    { guid: 's.guid' },
  );

/** SQL: rows whose account is unknown. `username` and `key` are SQL. */
export const unknownAccount = (table: StagedTable, username: string, key: string): string =>
  matchesSql(
    `${table} s`,
    `NOT EXISTS (SELECT FROM account a WHERE a.username = ${username} AND a.id > 0)
      AND NOT EXISTS (SELECT FROM s_account a WHERE a.username = ${username} AND a.line < s.line)`,
    key,
    'line.no_account',
    { username },
  );

/** The checks of ratings and replies. */
export const RATING_CHECKS: readonly string[] = [
  unknownAddon('s_rating', 'rating.addon'),
  duplicatesSql('s_rating', `'rating.id'`, 'id'),
  duplicatesSql(
    's_rating',
    `'rating.version'`,
    'guid, username, version',
    'reply_to IS NULL AND NOT deleted AND version IS NOT NULL',
  ),
  duplicatesSql('s_rating', `'rating.reply_to'`, 'reply_to', 'reply_to IS NOT NULL'),
  unknownAccount('s_rating', 's.username', `'rating.user'`),
  matchesSql(
    's_rating s JOIN rating r ON r.id = s.id JOIN addon a ON a.id = r.addon_id JOIN account c ON c.id = r.account_id',
    'a.guid <> s.guid OR c.username <> s.username OR r.reply_to IS DISTINCT FROM s.reply_to',
    `'rating.id'`,
    'line.other_rating',
    { guid: 'a.guid' },
  ),
  matchesSql(
    `s_rating s JOIN addon a ON a.guid = s.guid JOIN account c ON c.username = s.username
        JOIN rating r ON r.addon_id = a.id AND r.account_id = c.id AND r.id <> s.id JOIN version v ON v.id = r.version_id`,
    'v.version = s.version AND r.reply_to IS NULL AND s.reply_to IS NULL AND r.deleted_at IS NULL AND NOT s.deleted',
    `'rating.id'`,
    'line.rating_here',
    { id: 'r.id' },
  ),
  matchesSql(
    's_rating s',
    `s.reply_to IS NOT NULL AND NOT EXISTS (SELECT FROM s_rating r WHERE r.id = s.reply_to AND r.guid = s.guid AND r.reply_to IS NULL)
        AND NOT EXISTS (SELECT FROM rating r JOIN addon a ON a.id = r.addon_id
          WHERE r.id = s.reply_to AND a.guid = s.guid AND r.reply_to IS NULL)`,
    `'rating.reply_to'`,
    'line.no_rating',
    { id: 's.reply_to' },
  ),
  matchesSql(
    's_rating s JOIN rating r ON r.reply_to = s.reply_to',
    'r.id <> s.id',
    `'rating.reply_to'`,
    'line.rating_here',
    { id: 'r.id' },
  ),
];
