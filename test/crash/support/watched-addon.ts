import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation } from './installation.ts';

/** The add-on that clients read. */
export const WATCHED = { guid: 'watched@example.org', slug: 'watched' } as const;

/** Adds it to an installation, public and without a stored file. Its update checks are answered from memory. */
export async function importAddon(installation: Installation, author?: string): Promise<void> {
  const file = { status: 4, is_webextension: true, hash: `sha256:${'0'.repeat(64)}`, size: 5 };
  const line = {
    ...{ kind: 'addon', ...WATCHED, type: 'extension', status: 'public' },
    ...{ name: { 'en-US': 'Watched' }, default_locale: 'en-US' },
    ...(author === undefined ? {} : { authors: [{ username: author, role: 'owner' }] }),
    versions: [{ channel: 'listed', version: '1.0', files: [file] }],
  };
  const path = join(installation.dataDir, 'watched.jsonl');
  await writeFile(path, `${JSON.stringify(line)}\n`);
  await installation.run('import', path);
}
