/* Ratings of the demo: in several languages, with replies and flags. */
import type { Viewer } from '../auth/viewer.ts';
import { flagRating } from '../domain/ratings/flag-rating.ts';
import { createRating, replyToRating } from '../domain/ratings/write-rating.ts';
import { db } from '../infra/db.ts';
import type { DemoUsername } from './accounts.ts';

interface DemoRating {
  slug: string;
  by: DemoUsername;
  score: number;
  body: string | null;
  /** By the first author of the add-on. */
  reply?: string;
  flaggedBy?: DemoUsername;
}

const RATINGS: readonly DemoRating[] = [
  {
    ...{
      slug: 'tab-notes',
      by: 'demo-user',
      score: 4,
      body: 'I keep a note on every tab now. A search in the notes is missing.',
    },
    reply: 'Thank you! The search is in the next version.',
  },
  {
    slug: 'tab-notes',
    by: 'demo-reviewer',
    score: 5,
    body: 'Endlich finde ich meine Notizen wieder. Läuft ohne Probleme.',
  },
  {
    ...{ slug: 'tab-notes', by: 'demo-developer-2', score: 1, body: 'CHEAP WATCHES, see my profile!!!' },
    flaggedBy: 'demo-developer',
  },
  { slug: 'tab-notes', by: 'demo-admin', score: 4, body: 'תוספת נוחה מאוד, חסר רק ייצוא של ההערות.' },
  { slug: 'reading-time', by: 'demo-user', score: 3, body: null },
  { slug: 'reading-time', by: 'demo-moderator', score: 2, body: 'It counts menus and footers as text.' },
];

/** Adds the ratings once. `as` signs in as an account of the demo. */
export async function addRatings(as: (username: DemoUsername) => Promise<Viewer>): Promise<void> {
  if ((await db.rating.count()) > 0) return;
  const contextOf = async (username: DemoUsername) => ({
    ...{ viewer: await as(username), ip: null, locale: 'en-US', requestId: 'demo' },
  });
  for (const { slug, by, score, body, reply, flaggedBy } of RATINGS) {
    const addon = await db.addon.findUnique({
      where: { slug },
      select: {
        currentVersion: { select: { id: true } },
        authors: { select: { account: { select: { username: true } } }, orderBy: { position: 'asc' }, take: 1 },
      },
    });
    const [author] = addon?.authors ?? [];
    if (!addon?.currentVersion || author === undefined) continue;
    const version = { databaseId: addon.currentVersion.id };
    const id = await createRating(await contextOf(by), { addon: { slug }, version, score, body });
    const username = author.account.username as DemoUsername;
    if (reply !== undefined) await replyToRating(await contextOf(username), id, reply);
    if (flaggedBy !== undefined) await flagRating(await contextOf(flaggedBy), id, { reason: 'spam' });
  }
}
