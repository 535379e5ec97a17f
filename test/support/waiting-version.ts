/* A version that waits for review, and the decision form of its page. */
import type { Client } from './client.ts';
import { addon, type MadeAddon, type VersionFacts } from './factories.ts';
import { globalId } from './global-ids.ts';
import { xpi } from './packages.ts';
import type { Visitor } from './pages.ts';
import { storePackage } from './store-package.ts';

let addons = 0;

/** An add-on with a signed version 1.0 and a version 2.0 that waits, which `id` and `path` are of. */
export async function waitingVersion(
  author: Client,
  more: VersionFacts = {},
  type = 'extension',
): Promise<MadeAddon & { path: string }> {
  const slug = `waiting-${++addons}`;
  const [old, recent] = [
    await storePackage(await xpi({ version: '1.0' })),
    await storePackage(await xpi({ version: '2.0' })),
  ];
  const made = await addon({
    ...{ slug, type, name: { 'en-US': `Waits ${addons}` }, authors: [author.accountId ?? 0] },
    summary: { 'en-US': 'Counts words.' },
    description: { 'en-US': `Counts the words of a page.${' And more.'.repeat(30)}` },
    versions: [
      { version: '1.0', files: [old], ...(more.channel ? { channel: more.channel } : {}) },
      {
        version: '2.0',
        stage: 'awaiting_review',
        reviewed: null,
        files: [{ ...recent, status: 1, permissions: ['storage', 'tabs'] }],
        ...more,
      },
    ],
  });
  return { ...made, id: made.versions[1]?.id ?? 0, path: `/reviewers/review/${slug}/?version=2.0` };
}

/** What the form of decisions carries about a version. */
export const sent = (id: number) => ({ id: globalId('Version', id), versions: globalId('Version', id) });

/** Sends the form of decisions. */
export const decide = (visitor: Visitor, { path, id }: { path: string; id: number }, decision: string, comments = '') =>
  visitor.submit(path, 'review-decision', { ...sent(id), decision, comments });
