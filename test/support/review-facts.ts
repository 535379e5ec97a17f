/* Add-ons whose packages have given files, and what reviewers see of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { addon, type VersionFacts } from './factories.ts';
import { globalId } from './global-ids.ts';
import { xpi } from './packages.ts';
import { storePackage } from './store-package.ts';

/** Facts of a version, once its package is read. */
export async function readFacts<Read>(client: Client, id: number, fields: string): Promise<Read | null | undefined> {
  for (;;) {
    const { node } = await client.graphql<{ node: { reviewFacts: (Read & { packageState: string | null }) | null } }>(
      `query($id: ID!) { node(id: $id) { ... on Version { reviewFacts { packageState ${fields} } } } }`,
      { id: globalId('Version', id) },
    );
    if (node?.reviewFacts?.packageState !== 'READING') return node?.reviewFacts;
    await sleep(300);
  }
}

/** A version, and what its file row has. */
export type PackedVersion = VersionFacts & { facts?: object };

/** An add-on of these accounts with one version, whose package has the files. */
export async function packedAddon(
  authors: number[],
  files: Record<string, string>,
  { facts = {}, ...version }: PackedVersion = {},
): Promise<{ addonId: number; id: number }> {
  const file = { ...(await storePackage(await xpi({ version: '1.0', files }))), ...facts };
  const { id, versions } = await addon({
    authors,
    versions: [{ version: '1.0', ...version, files: [{ ...file, ...(version.stage ? { status: 1 } : {}) }] }],
  });
  return { addonId: id, id: versions[0]?.id ?? 0 };
}
