/* Every reader of stored files: none uses or gives out bytes other than those that were stored. */

import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import type { Client } from '../../support/client.ts';
import { addon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { xpi } from '../../support/packages.ts';
import { Visitor } from '../../support/pages.ts';
import { storeIcon } from '../../support/picture-columns.ts';
import { png } from '../../support/pictures.ts';
import { storePackage } from '../../support/store-package.ts';
import { entriesAt, withAddress } from '../../support/update-addresses.ts';
import { FILE } from '../../support/updates.ts';
import { createUpload } from '../../support/uploads.ts';

const app = setUpApp();
let author: Client;
beforeAll(async () => {
  author = await app.developer();
});

interface StoredPackage {
  sha256: string;
  size: bigint;
  guid: string;
}

let packages = 0;

/** A package in the blob store, different from all others. */
async function newPackage(): Promise<StoredPackage> {
  packages += 1;
  const guid = `package-${packages}@readers.test`;
  const bytes = await xpi({ guid, version: '1.0' });
  return { ...(await storePackage(bytes)), guid };
}

/** An add-on of the author with one version, whose file is the package. */
async function withPackage({ guid, sha256, size }: StoredPackage, version: VersionFacts = {}, status = 'public') {
  const file = { ...FILE, sha256, originalSha256: sha256, size };
  const made = await addon({
    guid,
    status,
    authors: [author.accountId ?? 0],
    versions: [{ version: '1.0', ...version, files: [{ ...file, ...version.files?.[0] }] }],
  });
  return { ...made, versionId: made.versions[0]?.id ?? 0, fileId: made.versions[0]?.files[0]?.id ?? 0 };
}

/** A stored file, and the result of a reader of it. */
interface Case {
  sha256: string;
  read: () => Promise<unknown>;
}

const stageOf = async (id: number) =>
  (await app.sql(`SELECT stage, reason_message->>'code' AS reason FROM version WHERE id = $1`, [id])) as {
    stage: string;
    reason: string;
  }[];

const PLACES = `query($id: ID!) { upload(by: { id: $id }) { sourceExcerpts(places: [{ file: "background.js", line: 1 }]) {
  lines { text } } } }`;

const download =
  (path: string, client: Client | Visitor = author) =>
  async () =>
    (await client.get(path)).status;

/** Makes a stored file for each reader. */
const READERS: Record<string, () => Promise<Case>> = {
  'the validator of versions': async () => {
    const stored = await newPackage();
    const made = await withPackage(stored, { stage: 'received', files: [{ status: 1 }] }, 'incomplete');
    await app.sql(
      `INSERT INTO upload (pk, account_id, addon_id, version_id, file_name) VALUES ($1, $2, $3, $4, 'a.xpi')`,
      [stored.sha256.slice(0, 32), author.accountId, made.id, made.versionId],
    );
    const { createValidator } = await import('../../../src/package/validation/validate-package.ts');
    const { validateVersion } = await import('../../../src/domain/validation/validate-version.ts');
    const { log } = await import('../../../src/infra/log.ts');
    const read = async () => {
      const validator = createValidator({ concurrency: 1, folder: inject('runFolder') });
      await validateVersion(made.versionId, validator, { stopping: new AbortController().signal, log });
      await validator.close();
      return stageOf(made.versionId);
    };
    return { sha256: stored.sha256, read };
  },
  'the validator of uploads': async () => {
    const { pk } = await createUpload(author, { guid: 'upload@readers.test', version: String(++packages) });
    const [row] = await app.sql<{ sha256: string }>('SELECT sha256 FROM upload WHERE pk = $1', [pk]);
    const read = async () => {
      await app.runJobs();
      return app.sql(`SELECT stage, reason_message->>'code' AS reason FROM upload WHERE pk = $1`, [pk]);
    };
    return { sha256: row?.sha256 ?? '', read };
  },
  'the signer of versions': async () => {
    const stored = await newPackage();
    const { versionId } = await withPackage(stored, { stage: 'signing', files: [{ status: 1 }] }, 'nominated');
    const { signVersion } = await import('../../../src/domain/signing/sign-version.ts');
    const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
    const read = async () => {
      const { signer, rootPem } = await openSigner();
      await signVersion(versionId, signer, rootPem);
      return stageOf(versionId);
    };
    return { sha256: stored.sha256, read };
  },
  'the signer of imported packages': async () => {
    const stored = await newPackage();
    const { id, versionId } = await withPackage(stored);
    const { signImported } = await import('../../../src/domain/signing/sign-imported.ts');
    const { openSigner } = await import('../../../src/domain/signing/open-signer.ts');
    const read = async () => {
      const { signer, rootPem } = await openSigner();
      await signImported(id, signer, rootPem);
      const [row] = await app.sql('SELECT signed_sha256 IS NOT NULL AS signed FROM file WHERE version_id = $1', [
        versionId,
      ]);
      return row;
    };
    return { sha256: stored.sha256, read };
  },
  'the excerpts of packages': async () => {
    const { pk } = await createUpload(author, { guid: 'excerpts@readers.test', version: String(++packages) });
    const [row] = await app.sql<{ sha256: string }>('SELECT sha256 FROM upload WHERE pk = $1', [pk]);
    const read = async () => (await author.graphql<{ upload: object }>(PLACES, { id: globalId('Upload', pk) })).upload;
    return { sha256: row?.sha256 ?? '', read };
  },
  'the readers of code': async () => {
    const stored = await newPackage();
    const { versionId } = await withPackage(stored);
    const query = 'query($id: ID!) { version(id: $id) { contents { fileCount } } }';
    const read = async () => {
      const { data } = await author.graphqlResult<{ version: object }>(query, { id: globalId('Version', versionId) });
      return data?.version;
    };
    return { sha256: stored.sha256, read };
  },
  'the export': async () => {
    const stored = await newPackage();
    await withPackage(stored);
    const { exportCatalogue } = await import('../../../src/domain/transfer/export-catalogue.ts');
    const read = async () => {
      const folder = await mkdtemp(join(inject('runFolder'), 'export-'));
      const lines = [];
      for await (const line of exportCatalogue({ files: { folder, path: 'files' } })) {
        if (line.includes(stored.guid))
          lines.push(line.includes(`"files/${stored.sha256.slice(0, 2)}/${stored.sha256}.xpi"`));
      }
      const copied = (await readdir(folder, { recursive: true })).filter((name) => name.includes(stored.sha256));
      await rm(folder, { recursive: true });
      return { copied: copied.length, lines };
    };
    return { sha256: stored.sha256, read };
  },
  'downloads by API': async () => {
    const stored = await newPackage();
    const { fileId } = await withPackage(stored);
    return { sha256: stored.sha256, read: download(`/api/v4/file/${fileId}/x.xpi`) };
  },
  'downloads from pages': async () => {
    const stored = await newPackage();
    const { fileId } = await withPackage(stored);
    return { sha256: stored.sha256, read: download(`/downloads/file/${fileId}/x.xpi`, new Visitor(app)) };
  },
  'downloads of source code': async () => {
    const stored = await newPackage();
    const { id, versionId } = await withPackage(await newPackage());
    await app.sql(`INSERT INTO version_source (version_id, name, size, sha256) VALUES ($1, 'source.zip', $2, $3)`, [
      versionId,
      stored.size,
      stored.sha256,
    ]);
    return { sha256: stored.sha256, read: download(`/api/v5/addons/addon/${id}/versions/${versionId}/source/`) };
  },
  'downloads of update addresses': async () => {
    const { sha256, size, guid } = await newPackage();
    const file = { ...FILE, sha256, size };
    const { url } = await withAddress(author, [{ channel: 'unlisted', files: [file] }], { guid });
    const [entry] = (await entriesAt(app, url, guid)) ?? [];
    return { sha256, read: download(entry?.update_link ?? '', app.anonymous) };
  },
  pictures: async () => {
    packages += 1;
    const { id } = await addon(await storeIcon(await png(64, 60 - packages)));
    const { icons } = (await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).json as { icons: { 64: string } };
    const { etag = '' } = (await app.anonymous.get(icons[64])).headers;
    return { sha256: etag.replaceAll('"', ''), read: download(icons[64], app.anonymous) };
  },
};

const error = (reason: string) => [{ stage: 'error', reason }];
const REFUSED = {
  damaged: error('package.replaced'),
  lost: error('package.lost'),
};

/** The result of each reader for a whole file, and for one that is not. */
const RESULTS: Record<string, { whole: unknown; refused: (problem: keyof typeof REFUSED) => unknown }> = {
  'the validator of versions': {
    whole: [{ stage: 'awaiting_review', reason: null }],
    refused: (problem) => REFUSED[problem],
  },
  'the validator of uploads': { whole: [{ stage: 'valid', reason: null }], refused: (problem) => REFUSED[problem] },
  'the signer of versions': { whole: [{ stage: 'signed', reason: null }], refused: (problem) => REFUSED[problem] },
  'the signer of imported packages': { whole: { signed: true }, refused: () => ({ signed: false }) },
  'the excerpts of packages': {
    whole: { sourceExcerpts: [{ lines: [{ text: 'browser.storage.local.set({ started: true });' }] }] },
    refused: () => ({ sourceExcerpts: [null] }),
  },
  'the readers of code': { whole: { contents: { fileCount: 2 } }, refused: () => ({ contents: null }) },
  'the export': { whole: { copied: 1, lines: [true] }, refused: () => ({ copied: 0, lines: [false] }) },
};
const DOWNLOAD = { whole: 200, refused: () => 404 };

/** Replaces the last byte of a stored file, or removes it. */
async function spoil(sha256: string, problem: 'damaged' | 'lost'): Promise<void> {
  const path = blobFile(app.config.DATA_DIR, sha256);
  const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
  const bytes = Buffer.concat(await blobs.openVerified(sha256).toArray());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  if (problem === 'damaged') await writeFile(path, bytes);
  else await rm(path);
}

describe.each(Object.entries(READERS))('%s', (name, make) => {
  const { whole, refused } = RESULTS[name] ?? DOWNLOAD;

  it('reads a whole file', async () => {
    const { read } = await make();
    expect(await read()).toEqual(whole);
  });

  it.each(['damaged', 'lost'] as const)('refuses a %s file and reports it', async (problem) => {
    const { log } = await import('../../../src/infra/log.ts');
    const { sha256, read } = await make();
    await spoil(sha256, problem);
    const alert = vi.spyOn(log, 'alert');
    expect(await read()).toEqual(refused(problem));
    expect(alert.mock.calls).toEqual([[{ sha256, problem }, 'A stored file is lost or damaged.']]);
    alert.mockRestore();
    expect(await app.sql('SELECT problem FROM stored_file_problem WHERE sha256 = $1', [sha256])).toEqual([{ problem }]);
  });
});
