import { access, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { runProgram } from '../clients/client.ts';
import { dictionary, zip } from '../support/packages.ts';

/** The package of a published add-on. */
export interface RealPackage {
  /** Name of the Debian package that contains it. */
  origin: string;
  file: string;
  /** Id and version of its manifest. */
  id: string;
  version: string;
}

/** Debian packages, each with the function that builds an add-on from a folder, a package file or a word list in it. */
const SOURCES = [
  { origin: 'webext-ublock-origin-firefox', build: packFolder },
  { origin: 'webext-browserpass', build: packFolder },
  { origin: 'firefox-esr-l10n-de', build: findPackage },
  { origin: 'hunspell-de-de', build: wrapWordList },
];

/** Names of the tools that `fetchPackages` requires and this machine lacks. */
export async function missingTools(): Promise<string[]> {
  const tools = ['apt-get', 'dpkg-deb'];
  const runs = await Promise.all(tools.map((tool) => runProgram(tool, ['--version'])));
  return tools.filter((_, index) => runs[index]?.exitCode !== 0);
}

/**
 * Downloads the Debian packages of freely licensed add-ons into `folder` and builds an add-on package from each.
 * @throws {Error} if one cannot be downloaded or contains no add-on.
 */
export async function fetchPackages(folder: string): Promise<RealPackage[]> {
  const origins = SOURCES.map(({ origin }) => origin);
  // The first attempt fails without package lists, as on a newly installed machine.
  if ((await download(folder, origins)).exitCode !== 0) {
    await runProgram('apt-get', ['update', '-qq']);
    const { exitCode, output } = await download(folder, origins);
    if (exitCode !== 0) throw new Error(`apt-get could not download ${origins.join(', ')}:\n${output}`);
  }
  const archives = await readdir(folder);
  const packages: RealPackage[] = [];
  for (const { origin, build } of SOURCES) {
    const archive = archives.find((name) => name.startsWith(`${origin}_`));
    const content = await mkdtemp(join(folder, 'content-'));
    const { exitCode, output } = await runProgram('dpkg-deb', ['-x', join(folder, archive ?? ''), content]);
    if (exitCode !== 0) throw new Error(`dpkg-deb could not unpack ${origin}:\n${output}`);
    const file = join(folder, `${origin}.xpi`);
    await writeFile(file, await build(content));
    packages.push({ origin, file, ...(await identityOf(file)) });
  }
  return packages;
}

async function download(folder: string, origins: string[]): Promise<{ exitCode: number; output: string }> {
  await mkdir(folder, { recursive: true });
  return runProgram('apt-get', ['download', '-q', ...origins], { cwd: folder });
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Links point to fonts of other packages.
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The name of the folder is the add-on id; a folder with another name is for another browser. */
async function packFolder(content: string): Promise<Buffer> {
  const files = await filesBelow(content);
  const isManifest = (path: string) => basename(path) === 'manifest.json' && basename(dirname(path)).includes('@');
  const folder = `${dirname(found(files.find(isManifest)))}/`;
  const own = files.filter((path) => path.startsWith(folder)).sort();
  const contents = await Promise.all(own.map((path) => readFile(path)));
  return zip(Object.fromEntries(own.map((path, index) => [path.slice(folder.length), contents[index] ?? null])));
}

async function findPackage(content: string): Promise<Buffer> {
  return readFile(found((await filesBelow(content)).find((path) => path.endsWith('.xpi'))));
}

async function wrapWordList(content: string): Promise<Buffer> {
  const words = found((await filesBelow(content)).find((path) => path.endsWith('.dic')));
  const rules = words.replace(/dic$/, 'aff');
  await access(rules);
  return dictionary({
    version: '20161207.1',
    name: 'German dictionary',
    files: { 'dictionaries/de.dic': await readFile(words), 'dictionaries/de.aff': await readFile(rules) },
  });
}

function found(path: string | undefined): string {
  if (path === undefined) throw new Error('There is no add-on in the Debian package.');
  return path;
}

interface Manifest {
  version: string;
  applications?: { gecko?: { id?: string } };
  browser_specific_settings?: { gecko?: { id?: string } };
}

async function identityOf(file: string): Promise<{ id: string; version: string }> {
  const archive = await openZip(file);
  try {
    const entry = archive.entries.find(({ name }) => name === 'manifest.json');
    if (entry === undefined) throw new Error(`${file} has no manifest.json.`);
    const manifest = JSON.parse((await archive.read(entry)).toString()) as Manifest;
    const id = manifest.browser_specific_settings?.gecko?.id ?? manifest.applications?.gecko?.id;
    if (id === undefined) throw new Error(`${file} has no id.`);
    return { id, version: manifest.version };
  } finally {
    await archive.close();
  }
}
