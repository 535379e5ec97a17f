/* Comments of reviewers on lines: drafts of one of them, and those that a note sent. */
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { authorsOf, REVIEW_RULES, type ReviewKind, type ReviewRole, readsThread, seesVersion } from './review-roles.ts';
import {
  fieldRow,
  hasId,
  mutationRow,
  nodeRow,
  type StateAction,
  type StateRule,
  type StateTable,
} from './state-table.ts';

interface LineFacts {
  kind: ReviewKind;
  /** Whose draft it is; absent for one that was sent. */
  draftOf?: ReviewRole;
  isUnknown?: true;
}

interface Comment {
  id: string;
  version: string;
  note: string | null;
}

const STATES = {
  draft: { kind: 'listed', draftOf: 'reviewer' },
  draftOfRoot: { kind: 'listed', draftOf: 'root' },
  sent: { kind: 'listed' },
  sentOfTheme: { kind: 'theme' },
  draftOfTheme: { kind: 'theme', draftOf: 'themeReviewer' },
  sentUnlisted: { kind: 'unlisted' },
  draftUnlisted: { kind: 'unlisted', draftOf: 'unlistedReviewer' },
  unknown: { kind: 'listed', isUnknown: true },
} as const satisfies Record<string, LineFacts>;

type Rule = StateRule<LineFacts, ReviewRole>;
type Action = StateAction<LineFacts, ReviewRole, Comment>;

/** Drafts are read by their reviewer alone, sent comments by all readers of the thread. */
const read: Rule = ({ kind, draftOf, isUnknown }, role) => {
  if (isUnknown) return 404;
  return (draftOf === undefined ? readsThread(kind, role) : role === draftOf) ? 200 : 404;
};
/** Below the version, which waits for review, for those who see it. */
const readBelow: Rule = (facts, role) => (seesVersion(facts.kind, role) ? read(facts, role) : 404);
/** A sent comment does not change any more; that is no refusal of the viewer. */
const change: Rule = ({ draftOf, isUnknown }, role) => {
  if (role === 'anonymous') return 401;
  return !isUnknown && role === (draftOf ?? 'root') ? 200 : 404;
};
const sent = ({ draftOf, isUnknown }: LineFacts) => draftOf === undefined && !isUnknown;

const WAITING: AddonFacts = { status: 'nominated', versions: [{ stage: 'awaiting_review', files: [{ status: 1 }] }] };
const FACTS: Record<ReviewKind, AddonFacts> = {
  listed: WAITING,
  theme: { ...WAITING, type: 'statictheme' },
  unlisted: {
    status: 'incomplete',
    versions: [{ stage: 'awaiting_review', channel: 'unlisted', files: [{ status: 1 }] }],
  },
};

async function comment(app: TestApp, ids: Record<ReviewRole, number>, facts: LineFacts): Promise<Comment> {
  const { id: addonId, versions } = await addon({ authors: authorsOf(ids), ...FACTS[facts.kind] });
  const versionId = versions[0]?.id;
  const insert = async (sql: string, values: unknown[]) => (await app.sql<{ id: number }>(sql, values))[0]?.id ?? 0;
  const note =
    facts.draftOf === undefined
      ? await insert(
          `INSERT INTO activity (action, account_id, addon_id, version_id, comments)
           VALUES ('more-information-requested', $1, $2, $3, 'x') RETURNING id`,
          [ids.root, addonId, versionId],
        )
      : null;
  const id = await insert(
    `INSERT INTO line_comment (version_id, account_id, activity_id, path, line, quote, text)
     VALUES ($1, $2, $3, 'x.js', 1, 'x', 'x') RETURNING id`,
    [versionId, ids[facts.draftOf ?? 'root'], note],
  );
  return {
    id: globalId('LineComment', id),
    version: globalId('Version', versionId),
    note: note === null ? null : globalId('ReviewNote', note),
  };
}

async function make(app: TestApp, ids: Record<ReviewRole, number>): Promise<Record<string, Comment>> {
  const made: Record<string, Comment> = {};
  for (const [name, facts] of Object.entries<LineFacts>(STATES)) made[name] = await comment(app, ids, facts);
  return { ...made, unknown: { ...(made.sent as Comment), id: globalId('LineComment', 2_000_000_000) } };
}

const isKnown = ({ isUnknown }: LineFacts) => !isUnknown;

const actions: Action[] = [
  nodeRow('LineComment', read),
  fieldRow('Version.lineComments', readBelow, ({ version }) => version, 'lineComments { nodes { id } }', {
    ...{ states: isKnown, isShown: hasId },
  }),
  fieldRow('ReviewNote.lineComments', read, ({ note }) => note ?? '', 'lineComments { id }', {
    ...{ covers: ['ReviewNote.text'], states: sent, isShown: hasId },
  }),
  mutationRow('updateLineComment', change, ({ id }) => ({ id, text: 'y' })),
  mutationRow('deleteLineComment', change, undefined, { spare }),
];

/** Another comment of the same reviewer on the same line. */
async function spare(app: TestApp, _facts: LineFacts, { id, ...rest }: Comment): Promise<Comment> {
  const [, key] = Buffer.from(id, 'base64').toString().split(':');
  const [row] = await app.sql<{ id: number }>(
    `INSERT INTO line_comment (version_id, account_id, activity_id, path, line, quote, text)
     SELECT version_id, account_id, activity_id, path, line, quote, text FROM line_comment WHERE id = $1 RETURNING id`,
    [Number(key)],
  );
  return { ...rest, id: globalId('LineComment', row?.id) };
}

export const LINE_COMMENT_TABLE: StateTable<LineFacts, ReviewRole, Comment> = {
  ...{ kind: 'a comment on a line', roles: REVIEW_RULES, states: STATES, make },
  actions,
};
