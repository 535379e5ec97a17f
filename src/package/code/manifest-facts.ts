/* What a manifest says about the code of an add-on and its place in browsers, apart from permissions and texts, compared with another. */
import { isJsonObject, type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../manifest/parse-json.ts';
import type { FileChange } from './file-changes.ts';
import { readFileText } from './package-files.ts';

/** One value of a manifest. `matches` are the addresses that it is about; empty for all, and where there are none. */
export interface ManifestValue {
  text: string;
  matches: readonly string[];
  /** How it differs from the other manifest; null when both have it, and without another. */
  change: Exclude<FileChange['kind'], 'modified'> | null;
}

/** The values about a subject, those that differ first. */
export interface ManifestFact {
  subject: ManifestSubject;
  values: readonly ManifestValue[];
  /** Whether values, addresses or ends of texts are left out. */
  isCut: boolean;
}

type Value = Omit<ManifestValue, 'change'>;

const texts = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
const objects = (value: JsonValue | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter(isJsonObject);
const within = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? value[key] : undefined;
const plain = (values: readonly string[]): Value[] => values.map((text) => ({ text, matches: [] }));
/** Names with their texts, as in `newtab: page.html`. */
const named = (value: JsonValue | undefined): Value[] =>
  objects(value).flatMap((object) =>
    Object.entries(object).flatMap(([name, each]) => plain(texts(each).map((text) => `${name}: ${text}`))),
  );
/** A text of an object for each of these keys. */
const pageOf = (manifest: JsonObject, key: string, page: string): Value[] =>
  plain(texts(within(manifest[key], page)).map((text) => `${key}: ${text}`));

function contentScript(script: JsonObject): Value {
  const files = [...texts(script.js), ...texts(script.css)].join(', ');
  const flags = ['all_frames', 'match_about_blank', 'match_origin_as_fallback'].filter((key) => script[key] === true);
  const options = [...texts(script.run_at), ...texts(script.world), ...flags];
  return { text: options.length === 0 ? files : `${files} (${options.join(', ')})`, matches: texts(script.matches) };
}

const SETTINGS_OF_BROWSERS = ['browser_specific_settings', 'applications'];

/** How each subject is read. */
const READERS = {
  'manifest-version': ({ manifest_version: version }) => (typeof version === 'number' ? plain([String(version)]) : []),
  background: ({ background }) =>
    plain(['scripts', 'service_worker', 'page'].flatMap((key) => texts(within(background, key)))),
  'content-scripts': ({ content_scripts: scripts }) => objects(scripts).map(contentScript),
  'content-security-policy': ({ content_security_policy: policy }) =>
    typeof policy === 'string' ? plain([policy]) : named(policy),
  'web-accessible-resources': ({ web_accessible_resources: resources }) => [
    ...plain(texts(resources)),
    ...objects(resources).map((each) => ({
      text: texts(each.resources).join(', '),
      matches: [...texts(each.matches), ...texts(each.extension_ids)],
    })),
  ],
  'messages-from': ({ externally_connectable: others }) =>
    plain([...texts(within(others, 'matches')), ...texts(within(others, 'ids'))]),
  'replaced-pages': ({ chrome_url_overrides: pages }) => named(pages),
  'replaced-settings': ({ chrome_settings_overrides: settings }) => [
    ...plain(texts(within(settings, 'homepage')).map((text) => `homepage: ${text}`)),
    ...plain(
      texts(within(within(settings, 'search_provider'), 'search_url')).map((text) => `search_provider: ${text}`),
    ),
  ],
  'own-pages': (manifest) => [
    ...['action', 'browser_action', 'page_action'].flatMap((key) => pageOf(manifest, key, 'default_popup')),
    ...pageOf(manifest, 'sidebar_action', 'default_panel'),
    ...pageOf(manifest, 'options_ui', 'page'),
    ...named({ options_page: manifest.options_page ?? null, devtools_page: manifest.devtools_page ?? null }),
  ],
  protocols: ({ protocol_handlers: handlers }) =>
    plain(objects(handlers).map((each) => `${texts(each.protocol).join()}: ${texts(each.uriTemplate).join()}`)),
  'request-rules': ({ declarative_net_request: rules }) =>
    plain(objects(within(rules, 'rule_resources')).flatMap((each) => texts(each.path))),
  experiments: ({ experiment_apis: apis }) => plain(objects(apis).flatMap((each) => Object.keys(each))),
  'update-address': (manifest) =>
    plain(
      SETTINGS_OF_BROWSERS.flatMap((key) => objects(manifest[key]))
        .flatMap((settings) => Object.values(settings))
        .flatMap((browser) => texts(within(browser, 'update_url'))),
    ),
} as const satisfies Record<string, (manifest: JsonObject) => Value[]>;

/** What a value of a manifest is about. */
export type ManifestSubject = keyof typeof READERS;
const SUBJECTS = Object.keys(READERS) as ManifestSubject[];

/** Values of a subject, addresses of a value, and characters of a text. Manifests have a few. */
const LIMITS = { values: 30, matches: 20, characters: 300 };

/**
 * What the manifest of the package at `path` says, next to that of the package at `otherPath`; null for a package without one that can be
 * read.
 * @throws {PackageError} when an archive cannot be read.
 */
export async function readManifestFacts(path: string, otherPath: string | undefined): Promise<ManifestFact[] | null> {
  const manifest = await readManifest(path);
  const other = otherPath === undefined ? null : await readManifest(otherPath);
  if (manifest === null) return null;
  return SUBJECTS.flatMap((subject) => {
    const values = compared(READERS[subject](manifest), other && READERS[subject](other));
    return values.length === 0 ? [] : [cut(subject, values)];
  });
}

async function readManifest(path: string): Promise<JsonObject | null> {
  const file = await readFileText(path, 'package', 'manifest.json');
  if (file === null) return null;
  try {
    const manifest = parseJson(file.text, { duplicateKeys: 'last-wins' });
    return isJsonObject(manifest) ? manifest : null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

function compared(values: readonly Value[], others: readonly Value[] | null): ManifestValue[] {
  const all = (list: readonly Value[]) => new Map(list.map((value) => [JSON.stringify(value), value]));
  const [now, before] = [all(values), all(others ?? [])];
  const isOld = (key: string) => others === null || before.has(key);
  const pick = (from: Map<string, Value>, isWanted: (key: string) => boolean, change: ManifestValue['change']) =>
    [...from].filter(([key]) => isWanted(key)).map(([, value]) => ({ ...value, change }));
  return [
    ...pick(now, (key) => !isOld(key), 'added'),
    ...pick(before, (key) => !now.has(key), 'deleted'),
    ...pick(now, isOld, null),
  ];
}

function cut(subject: ManifestSubject, values: readonly ManifestValue[]): ManifestFact {
  const shorter = (text: string) => text.slice(0, LIMITS.characters).toWellFormed();
  const shown = values.slice(0, LIMITS.values).map(({ text, matches, change }) => ({
    ...{ text: shorter(text), change },
    matches: matches.slice(0, LIMITS.matches).map(shorter),
  }));
  const lengths = (list: readonly ManifestValue[]) =>
    JSON.stringify(list.map(({ text, matches }) => [text, matches])).length;
  return { subject, values: shown, isCut: lengths(shown) < lengths(values) };
}
