/*
 * The reported account or the sender of reports that a moderator looks for, by the names that pages show. Only accounts in reports that the viewer
 * reads are found, so that a text reveals no other account; as a sender, none whose reports do not show their sender to the viewer.
 */
import { canEditAnyAccount } from '../../auth/account-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { accountReference } from '../../graphql/references.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { anonymousBeginning } from '../accounts/account-names.ts';
import { accountKey } from '../accounts/account-ref.ts';
import { showsReporterTo } from './report-facts.ts';

/** Accounts that are suggested at most, and as many with the same displayed name. */
export const MAX_NAMED_ACCOUNTS = 5;

/** What a text names. */
interface AccountChoice {
  /** The id of the one account that it names; null for none or several. */
  chosen: number | null;
  /** Ids of several with this displayed name. */
  options: readonly number[];
  /** Ids of accounts with a name that begins with a text that names nothing. */
  similar: readonly number[];
}

/** The parts that accounts have in reports. */
export type ReportPart = 'reported' | 'reporter';

/** SQL: the account `a` has the part in a report that shows it to the viewer. The columns have indexes. */
const hasPart = (viewer: Viewer, part: ReportPart): Prisma.Sql =>
  part === 'reported'
    ? Prisma.sql`EXISTS (SELECT FROM abuse_report r WHERE r.account_id = a.id)`
    : Prisma.sql`EXISTS (SELECT FROM abuse_report r WHERE r.reporter_id = a.id AND ${showsReporterTo(viewer)})`;

/** SQL: the account `a` has this username, number or, for those who see addresses, this e-mail address. */
function hasKey(viewer: Viewer, text: string): Prisma.Sql {
  const key = accountKey(accountReference(text));
  if ('id' in key) return Prisma.sql`a.id = ${key.id}`;
  const hasUsername = Prisma.sql`a.username = ${key.username}::text::citext`;
  return canEditAnyAccount(viewer)
    ? Prisma.sql`(${hasUsername} OR lower(a.email::text) = lower(${text}))`
    : hasUsername;
}

const startsWith = (column: string, text: string): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(column)} LIKE ${`${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;

/** SQL: the account `a` is shown with this name, which others may have, too. */
function hasName(text: string): Prisma.Sql {
  const username = anonymousBeginning(text);
  const isNamed = Prisma.sql`lower(a.display_name) = lower(${text})`;
  return username === null
    ? isNamed
    : Prisma.sql`(${isNamed} OR ${startsWith('lower(a.username::text)', username)} AND NOT a.has_chosen_username)`;
}

/** SQL: a name of the account `a` begins with the text. */
const beginsWith = (text: string): Prisma.Sql =>
  Prisma.sql`(${startsWith('lower(a.username::text)', text)} OR ${startsWith('lower(a.display_name)', text)})`;

async function choiceOf(viewer: Viewer, part: ReportPart, typed: string): Promise<AccountChoice> {
  const text = comparableText(typed).trim();
  const find = async (condition: Prisma.Sql) => {
    const rows = await db.$queryRaw<{ id: number }[]>`
      SELECT a.id FROM account a WHERE ${condition} AND ${hasPart(viewer, part)} ORDER BY a.id LIMIT ${MAX_NAMED_ACCOUNTS}`;
    return rows.map(({ id }) => id);
  };
  const none: AccountChoice = { chosen: null, options: [], similar: [] };
  if (text === '') return none;
  const known = await find(hasKey(viewer, text));
  const [first = null, ...others] = known.length > 0 ? known : await find(hasName(text));
  if (first === null) return { ...none, similar: await find(beginsWith(text)) };
  return others.length === 0 ? { ...none, chosen: first } : { ...none, options: [first, ...others] };
}

const choicesAs = (part: ReportPart) =>
  perRequest<string, AccountChoice>((texts, { viewer }) =>
    Promise.all(texts.map((text) => choiceOf(viewer, part, text))),
  );

const CHOICES = { reported: choicesAs('reported'), reporter: choicesAs('reporter') };

/** What a text names. It takes a statement, and one that is no unique name two more at most. */
export const accountChoice = (context: Context, part: ReportPart, text: string): Promise<AccountChoice> =>
  CHOICES[part](context).load(text);
