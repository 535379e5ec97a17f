import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { expectRefusal, signingRefusal } from '../../support/expect-refusal.ts';
import { crxHeader, descriptor, extraField, type RawEnd, type RawEntry, rawZip, zip64 } from '../../support/raw-zip.ts';
import { path, status } from '../../support/signing-steps.ts';
import { storedFiles } from '../../support/stored-files.ts';

const app = setUpApp();
afterEach(async () => expect(await app.pendingJobs()).toEqual([]));

const stored = storedFiles('.xpi');
const manifestOf = (guid: string) =>
  JSON.stringify({
    manifest_version: 2,
    name: 'Packed',
    version: '1.0',
    browser_specific_settings: { gecko: { id: guid } },
  });
const NAME = 'icons/größe.txt';
const TEXT = 'twelve by twelve';
const UNICODE_PATH = extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(NAME)]));

const CONTAINERS: ReadonlyArray<[description: string, entry: Partial<RawEntry>, end?: RawEnd]> = [
  ['a Unicode path', { both: { extra: UNICODE_PATH } }],
  ['an archive comment', {}, { comment: '3f786850e387550fdab836ed7e6dc881de23001b' }],
  [
    'zip64 fields, streamed',
    {
      both: { flags: 0x0808 },
      local: { crc32: 0, compressedSize: 0xffffffff, size: 0xffffffff, extra: zip64(0, 0) },
      after: descriptor(TEXT),
    },
  ],
  ['the header of a CRX file of version 2', {}, { prefix: crxHeader(2, [294, 256]) }],
  ['the header of a CRX file of version 3', {}, { prefix: crxHeader(3, [593]) }],
];

describe('an upload with', () => {
  it.each(CONTAINERS)('%s is validated, and signed with the same files', async (description, entry, end) => {
    const guid = `${description.replaceAll(/\W/g, '-')}@example`;
    const files = [
      { name: 'manifest.json', content: manifestOf(guid) },
      { name: NAME, content: TEXT, ...entry },
    ];
    const developer = await app.developer();
    const reply = await developer.put(path(guid), { upload: rawZip(files, end) });
    expect(reply.status).toBe(201);
    await app.runJobs();
    const done = await status(developer, guid);
    expect(done).toMatchObject({ valid: true, active: true, files: [{ signed: true }] });
    const signed = await developer.get(done.files[0]?.download_url ?? '');
    expect(await contentsOf(signed.bytes)).toMatchObject(
      Object.fromEntries(files.map(({ name, content }) => [name, content])),
    );
  });

  it('two names for one file is refused with both', async () => {
    const guid = 'two-names@example';
    const files = [
      { name: 'manifest.json', content: manifestOf(guid) },
      { name: 'icons/gr#U00f6#U00dfe.txt', content: TEXT, both: { extra: UNICODE_PATH } },
    ];
    const reply = await (await app.developer()).put(path(guid), { upload: rawZip(files) });
    const text = `Invalid file name in archive: icons/gr#U00f6#U00dfe.txt is also named ${NAME}. Pack with UTF-8 names, for example with the environment variable LC_ALL=C.UTF-8.`;
    expectRefusal(reply, signingRefusal(400, text));
  });
});

/** The files of a signed package as text, read as a plain container. */
async function contentsOf(bytes: Buffer): Promise<Record<string, string>> {
  const { openZip } = await import('../../../src/package/zip/read-zip.ts');
  const file = await stored(Buffer.alloc(0));
  await writeFile(file, bytes);
  const archive = await openZip(file);
  const contents: Record<string, string> = {};
  for (const entry of archive.entries) contents[entry.name] = (await archive.read(entry)).toString();
  await archive.close();
  return contents;
}
