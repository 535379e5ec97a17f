/*
 * Packs one folder with each packer of this machine, in each mode, with and without names outside ASCII; uploads the archives to a new
 * installation and compares the signed files byte for byte. The results are the table of docs/packers.md: exits with 1 if a row
 * differs. Options: --write writes the rows, --tools FOLDER keeps the packages of npm there. Packers that are missing are skipped.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { installPackage, NoRegistryError } from '../clients/install-package.ts';
import { openSite, type Site } from '../clients/site.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import { findProgram } from '../support/find-program.ts';
import { PACKERS, type Packer } from './packers.ts';
import { type Row, readTable, rowLine, writeTable } from './table.ts';
import { filesBelow, type Names, writeTree } from './tree.ts';

const SIGNED_MS = 300_000;
const PACK_MS = 120_000;
const run = promisify(execFile);
const { values } = parseArgs({ options: { write: { type: 'boolean' }, tools: { type: 'string' } } });

let serial = 0;
const folder = await mkdtemp(join(tmpdir(), 'addons-packers-'));
const tools = resolve(values.tools ?? join(folder, 'tools'));
const site = await openSite({ RATE_LIMITS: 'off' });
try {
  const rows: Row[] = [];
  for (const packer of PACKERS) {
    const row = await tryPacker(packer);
    if (row !== null) rows.push(row);
  }
  await report(rows);
} finally {
  await site.close();
  await rm(folder, { recursive: true, force: true });
}

async function report(rows: readonly Row[]): Promise<void> {
  if (values.write) return writeTable(rows);
  const expected = await readTable();
  const wrong = rows.filter((row) => !expected.includes(rowLine(row)));
  for (const row of wrong) console.log(`not in docs/packers.md: ${rowLine(row)}`);
  console.log(`${rows.length - wrong.length} passed, ${wrong.length} failed`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

/** Null when the packer is not installed. */
async function tryPacker(packer: Packer): Promise<Row | null> {
  const modules = await modulesOf(packer);
  if ((await findProgram(packer.program)) === null || modules === null) {
    console.log(`skipped: ${packer.name}`);
    return null;
  }
  const row: Row = {
    packer,
    ascii: await tryNames(packer, 'ASCII', modules),
    other: await tryNames(packer, 'other', modules),
  };
  console.log(rowLine(row));
  return row;
}

async function modulesOf({ npm }: Packer): Promise<string | null> {
  if (npm === undefined) return '';
  try {
    return await installPackage(tools, ...npm);
  } catch (error) {
    if (error instanceof NoRegistryError) return null;
    throw error;
  }
}

/** `signed`, or why not. */
async function tryNames(packer: Packer, names: Names, modules: string): Promise<string> {
  const guid = `packed-${++serial}@example.org`;
  const own = join(folder, `${serial}`);
  const [tree, work] = [join(own, 'tree'), join(own, 'work')];
  for (const each of [tree, work]) await mkdir(each, { recursive: true });
  await writeTree(tree, guid, names);
  const archive = join(own, 'packed.zip');
  const env = { ...process.env, LC_ALL: 'C.UTF-8', OUT: archive, WORK: work, MODULES: modules };
  await run('sh', ['-c', packer.command], { cwd: tree, env, timeout: PACK_MS, maxBuffer: 2 ** 24 });
  return upload(site, { guid, tree, archive });
}

async function upload({ url }: Site, packed: { guid: string; tree: string; archive: string }): Promise<string> {
  const { guid, tree, archive } = packed;
  const { contentType, body } = uploadForm(await readFile(archive));
  const headers = {
    authorization: authorization(site),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  const response = await exchange({ method: 'PUT', url: url + versionPath(guid, '1.0'), headers, body });
  if (response.status !== 201) return (JSON.parse(response.body.toString()) as { error: string }).error;
  const status = await until(`the final status of ${guid}`, SIGNED_MS, async () => {
    const found = await site.status(`${url}/api/v4`, guid, '1.0');
    return found.processed && (!found.valid || found.active) ? found : null;
  });
  if (!status.active) return `invalid: ${JSON.stringify(status.validation_results)}`;
  const file = status.files[0]?.download_url ?? '';
  const { body: signed } = await exchange({
    method: 'GET',
    url: file,
    headers: { authorization: authorization(site) },
  });
  return (await differences(tree, archive, signed)) ?? 'signed';
}

/** The first file that the signed package does not have as packed; null when all are equal. */
async function differences(tree: string, archive: string, signed: Buffer): Promise<string | null> {
  const path = `${archive}.signed`;
  await writeFile(path, signed);
  const opened = await openZip(path);
  try {
    const names = await filesBelow(tree);
    for (const name of names) {
      const entry = opened.entries.find((each) => each.name === name);
      if (entry === undefined || !(await opened.read(entry)).equals(await readFile(join(tree, name))))
        return `differs: ${name}`;
    }
    const added = opened.entries.find(({ name }) => !names.includes(name) && !name.startsWith('META-INF/'));
    return added === undefined ? null : `added: ${added.name}`;
  } finally {
    await opened.close();
  }
}
