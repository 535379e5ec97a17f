import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { addon, type MadeAddon } from './factories.ts';
import { addNotes } from './notes.ts';

/** Names of the versions of `made`, in their order. */
const NAMES = ['public', 'unlisted', 'deleted', 'rejected', 'waiting', 'invalid'];

const VERSIONS = [
  { version: 'public' },
  { version: 'unlisted', channel: 'unlisted' as const },
  { version: 'deleted', deletedAt: new Date() },
  { version: 'rejected', stage: 'rejected', files: [{ status: 5 }] },
  { version: 'waiting', stage: 'awaiting_review', files: [{ status: 1 }] },
  { version: 'invalid', stage: 'invalid' },
];

const THREAD = [
  { action: 'review-requested', created: '2018-10-01T10:00:00Z' },
  { action: 'super-review-requested', created: '2018-10-02T10:00:00Z', comments: 'Is this licence fine?' },
  { action: 'comment', created: '2018-10-03T10:00:00Z', comments: 'I saw this <b>code</b> elsewhere.' },
  { action: 'more-information-requested', created: '2018-10-04T10:00:00Z', comments: 'Why "tabs" & \'history\'?' },
  { action: 'review-note', created: '2018-10-05T10:00:00Z', comments: 'Because.\nTabs.', by: 'developer' as const },
  { action: 'published', created: '2018-10-05T11:00:00Z', comments: 'no note' },
  { action: 'approved', created: '2018-10-06T10:00:00Z' },
  { action: 'rejected', created: '2018-10-06T10:00:00Z', comments: '' },
];

/** An add-on with a thread, a disabled add-on, a theme, and the clients that read them. */
export interface ThreadWorld {
  client(name: string): Client;
  accountId(name: string): number;
  made: MadeAddon;
  closed: MadeAddon;
  theme: MadeAddon;
  /** Ids of the rows of the thread of `made`, oldest first. */
  notes: number[];
  /** Id of a version of `made` or of another add-on with the same versions; 0 when it has none. */
  versionId(name: string, of?: MadeAddon): number;
}

export async function makeThread(app: TestApp): Promise<ThreadWorld> {
  const clients: Record<string, Client> = {
    author: await app.developer(),
    developer: await app.developer(),
    reviewer: await app.memberWith('Addons:Review'),
    contentReviewer: await app.memberWith('Addons:ContentReview'),
    unlistedReviewer: await app.memberWith('Addons:ReviewUnlisted'),
    themeReviewer: await app.memberWith('Addons:ThemeReview'),
    editor: await app.memberWith('Addons:Edit'),
    stranger: await app.developer(),
    administrator: await app.admin(),
    anonymous: app.anonymous,
  };
  const client = (name: string) => clients[name] as Client;
  const accountId = (name: string) => client(name).accountId ?? 0;
  const authors = [accountId('author'), { id: accountId('developer'), role: 'developer' as const, listed: false }];
  const made = await addon({ slug: 'thread', guid: 'thread@example', authors, versions: VERSIONS });
  const closed = await addon({ slug: 'closed', authors, status: 'disabled', versions: VERSIONS.slice(0, 3) });
  const theme = await addon({ slug: 'theme', type: 'statictheme', authors: [accountId('author')] });
  const versionId = (name: string, of = made) => of.versions[NAMES.indexOf(name)]?.id ?? 0;
  const writer = ({ by, action }: (typeof THREAD)[number]) => {
    if (action === 'review-requested') return null;
    return accountId(by === 'developer' ? 'author' : 'reviewer');
  };
  const rows = THREAD.map((note) => ({ ...note, accountId: writer(note) }));
  const notes = await addNotes(app, versionId('public'), rows);
  return { client, accountId, made, closed, theme, notes, versionId };
}
