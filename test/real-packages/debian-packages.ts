import { access, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { runProgram } from '../clients/client.ts';
import { dictionary, zip } from '../support/packages.ts';

/** The package of a published add-on. */
export interface RealPackage {
  /** Name of the Debian package that contains it. */
  origin: string;
  file: string;
  /** An older or newer package of the same add-on, from another release of Debian; null if all have the same one. */
  other: string | null;
}

type Build = (content: string) => Promise<Buffer>;

const EXTENSIONS = `allow-html-temp browserpass bulk-media-downloader dav4tbsync debianbuttons dispmua eas4tbsync folder-account
  form-history-control foxyproxy indie-wiki-buddy-firefox keepassxc-browser lightbeam mailmindr plasma-browser-integration privacy-badger
  proxy-switcher quicktext tbsync treestyletab ublock-origin-firefox vimium-firefox xnotepp`;
const LANGUAGE_PACKS = `firefox-esr-l10n-de firefox-esr-l10n-he thunderbird-l10n-ja thunderbird-l10n-ru`;
const WORD_LISTS = `hunspell-de-de hunspell-en-us hunspell-he hunspell-pl`;

/** Debian packages, each with the function that builds an add-on package from its files. */
const SOURCES: ReadonlyMap<string, Build> = new Map([
  ...EXTENSIONS.split(/\s+/).map((name) => [`webext-${name}`, packExtension] as const),
  ...LANGUAGE_PACKS.split(/\s+/).map((name) => [name, packExtension] as const),
  ...WORD_LISTS.split(/\s+/).map((name) => [name, wrapWordList] as const),
]);

/** Releases of Debian whose packages are compared. */
const RELEASES = ['bookworm', 'trixie'];
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Names of the tools that `fetchPackages` requires and this machine lacks. */
export async function missingTools(): Promise<string[]> {
  const tools = ['apt-get', 'dpkg-deb'];
  const runs = await Promise.all(tools.map((tool) => runProgram(tool, ['--version'])));
  return tools.filter((_, index) => runs[index]?.exitCode !== 0);
}

/**
 * Downloads the Debian packages of freely licensed add-ons into `folder` and builds an add-on package from each. Uses package lists of its own,
 * in the same folder.
 * @throws {Error} if one cannot be downloaded or contains no add-on.
 */
export async function fetchPackages(folder: string): Promise<RealPackage[]> {
  const archives = join(folder, 'archives');
  await mkdir(archives, { recursive: true });
  const apt = await openApt(join(folder, 'apt'));
  const versions = await availableVersions(apt);
  const wanted = [...versions].flatMap(([origin, all]) => all.map((version) => `${origin}=${version}`));
  await apt('apt-get', ['download', '-q', ...wanted], archives);
  const packages: RealPackage[] = [];
  for (const [origin, [recent, other]] of versions) {
    const build = async (version: string) =>
      buildPackage(archives, { origin, version, file: join(folder, `${origin}_${version}.xpi`) });
    packages.push({ origin, file: await build(recent ?? ''), other: other === undefined ? null : await build(other) });
  }
  return packages;
}

/** Runs a program of APT in a folder and returns its output. */
type Apt = (program: string, words: readonly string[], cwd: string) => Promise<string>;

/**
 * APT with the lists of all `RELEASES`, from the archives that this machine uses.
 * @throws {Error} if they cannot be downloaded.
 */
async function openApt(folder: string): Promise<Apt> {
  const lists = join(folder, 'lists');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(folder, 'cache/archives/partial'), { recursive: true });
  const sources = join(folder, 'debian.sources');
  const settings = [
    ...[`Dir::Etc::SourceList=${sources}`, 'Dir::Etc::SourceParts=/dev/null', 'Dir::State::Status=/dev/null'],
    ...[`Dir::State::Lists=${lists}`, `Dir::Cache=${join(folder, 'cache')}`, 'Acquire::Languages=none'],
    ...['Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false', 'APT::Sandbox::User=root', 'Acquire::Retries=3'],
  ].flatMap((setting) => ['-o', setting]);
  const apt: Apt = async (program, words, cwd) => {
    const { exitCode, output, stdout } = await runProgram(program, [...settings, ...words], { cwd });
    if (exitCode !== 0) throw new Error(`${program} ${words.join(' ')}\n${output}`);
    return stdout;
  };
  await writeFile(sources, await sourcesOfReleases());
  await apt('apt-get', ['update', '-q'], folder);
  return apt;
}

/** The sources of packages of all `RELEASES`: this machine's own ones, with the others in the place of its release. */
async function sourcesOfReleases(): Promise<string> {
  const targets = ['indextargets', '--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages', 'Component: main'];
  const own = new Set((await runProgram('apt-get', targets)).stdout.trim().split('\n'));
  const stanzas = [...own].flatMap((line) => {
    const [uri, suite = ''] = line.split(' ');
    const release = RELEASES.find((each) => suite === each || suite === `${each}-security`);
    if (release === undefined) return [];
    const suites = RELEASES.map((each) => suite.replace(release, each)).join(' ');
    return [`Types: deb\nURIs: ${uri}\nSuites: ${suites}\nComponents: main\nSigned-By: ${KEYRING}\n`];
  });
  if (stanzas.length === 0)
    throw new Error(`This machine has packages of none of the releases ${RELEASES.join(', ')}.`);
  return stanzas.join('\n');
}

/** The newest and, if there are several, the oldest version of each package. */
async function availableVersions(apt: Apt): Promise<Map<string, string[]>> {
  // From the newest to the oldest.
  const rows = (await apt('apt-cache', ['madison', ...SOURCES.keys()], tmpdir()))
    .split('\n')
    .map((row) => row.split('|'));
  return new Map(
    [...SOURCES.keys()].map((origin) => {
      const all = rows.flatMap(([name = '', version = '']) => (name.trim() === origin ? [version.trim()] : []));
      const [recent] = all;
      const oldest = all.at(-1);
      if (recent === undefined || oldest === undefined) throw new Error(`There is no Debian package ${origin}.`);
      return [origin, recent === oldest ? [recent] : [recent, oldest]];
    }),
  );
}

interface Archive {
  origin: string;
  version: string;
  /** Path of the add-on package. */
  file: string;
}

/** Builds the add-on package of a downloaded Debian package. Returns its path. */
async function buildPackage(archives: string, { origin, version, file }: Archive): Promise<string> {
  // APT escapes the colon of an epoch.
  const prefix = `${origin}_${version.replaceAll(':', '%3a')}_`;
  const archive = (await readdir(archives)).find((name) => name.startsWith(prefix));
  const content = await mkdtemp(join(archives, 'content-'));
  const { exitCode, output } = await runProgram('dpkg-deb', ['-x', join(archives, archive ?? ''), content]);
  if (exitCode !== 0) throw new Error(`dpkg-deb could not unpack ${origin}:\n${output}`);
  await writeFile(file, await found(SOURCES.get(origin))(content));
  return file;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Links point to fonts of other packages.
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The package file, or the folder with the manifest; folders for Chromium have other manifests. */
async function packExtension(content: string): Promise<Buffer> {
  const files = await filesBelow(content);
  const whole = files.find((path) => path.endsWith('.xpi'));
  if (whole !== undefined) return readFile(whole);
  const manifests = files.filter((path) => basename(path) === 'manifest.json' && !path.includes('/chromium/'));
  const folder = `${dirname(found(manifests.sort((one, other) => one.length - other.length)[0]))}/`;
  const own = files.filter((path) => path.startsWith(folder)).sort();
  const contents = await Promise.all(own.map((path) => readFile(path)));
  return zip(Object.fromEntries(own.map((path, index) => [path.slice(folder.length), contents[index] ?? null])));
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

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('There is no add-on in the Debian package.');
  return value;
}

interface Manifest {
  version: string;
  applications?: { gecko?: { id?: string } };
  browser_specific_settings?: { gecko?: { id?: string } };
}

/** Id and version of the manifest of a package. */
export async function identityOf(file: string): Promise<{ id: string; version: string }> {
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
