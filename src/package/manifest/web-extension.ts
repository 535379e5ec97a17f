/* Reads `manifest.json`. Faults that the validator reports (a missing name, a wrong icon) are not refused here. */
import { PackageError } from '../../errors.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { AddonType } from '../enums.ts';
import type { ZipArchive, ZipEntry } from '../zip/zip-archive.ts';
import { type IsKnownVersion, type WrittenRange, webExtensionCompatibility } from './compatibility.ts';
import { isGuid, readVersion } from './identity.ts';
import {
  canonicalLocaleCode,
  localizedText,
  type MessageCatalog,
  messageKeys,
  readMessageCatalog,
  unresolvedReferences,
} from './localized-text.ts';
import { decodeManifest, type ManifestTexts, oversizedManifest, type PackageManifest } from './package-manifest.ts';
import { isJsonObject, type JsonObject, JsonSyntaxError, type JsonValue, jsonTypeOf, parseJson } from './parse-json.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;
const MAX_STATIC_THEME_BYTES = 7 * 1024 * 1024;
const MAX_PERMISSION_LENGTH = 1000;
/** Maximum number of distinct permissions of a package; the largest content blockers have some hundreds. */
export const MAX_PERMISSIONS = 5_000;

/** Reads the package whose `manifest.json` is the given entry. @throws PackageError as `describeWebExtension` does */
export async function readWebExtension(
  archive: ZipArchive,
  entry: ZipEntry,
  isKnown?: IsKnownVersion,
): Promise<PackageManifest> {
  if (entry.size > MAX_MANIFEST_BYTES) throw oversizedManifest('manifest.json');
  const manifest = parseManifest(await archive.read(entry, MAX_MANIFEST_BYTES));
  const keys = messageKeys(writtenTexts(manifest).map(([, text]) => text));
  const catalog: MessageCatalog = await readMessageCatalog(archive, keys);
  return describeWebExtension(manifest, catalog, archive.size, isKnown);
}

/** The texts that may refer to messages, by key. */
function writtenTexts(manifest: JsonObject): [key: string, text: JsonValue | undefined][] {
  const developer = isJsonObject(manifest.developer) ? manifest.developer : {};
  return [
    ['name', manifest.name],
    ['short_name', manifest.short_name],
    ['description', manifest.description],
    ['homepage_url', manifest.homepage_url],
    ['author', manifest.author],
    ['developer.name', developer.name],
    ['developer.url', developer.url],
  ];
}

/** Parses the bytes of a `manifest.json`. @throws PackageError unless they are UTF-8 and an object of `parseJson` */
export function parseManifest(bytes: Uint8Array): JsonObject {
  const text = decodeManifest(bytes, 'manifest.json');
  let manifest: JsonValue;
  try {
    manifest = parseJson(text);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new PackageError(faultOf(error)) : error;
  }
  if (!isJsonObject(manifest)) throw new PackageError(message('manifest.not_object'));
  return manifest;
}

function faultOf({ fault, line, column }: JsonSyntaxError): Message {
  const place = { file: 'manifest.json', line: String(line), column: String(column) };
  if (fault.kind === 'too-deep') return message('manifest.too_deep', { ...place, max: fault.max });
  if (fault.kind === 'syntax') return message('manifest.syntax', { ...place, problem: printable(fault.problem) });
  const code = fault.kind === 'repeated-key' ? 'manifest.repeated_key' : 'manifest.forbidden_key';
  return message(code, { ...place, key: printable(fault.key) });
}

/**
 * Reads the package facts from a parsed `manifest.json`.
 * @param archiveSize of the package in bytes, limited for static themes
 * @throws PackageError for a bad id or version number, application versions that do not exist, a theme that is too large
 */
export function describeWebExtension(
  manifest: JsonObject,
  catalog: MessageCatalog,
  archiveSize: number,
  isKnown?: IsKnownVersion,
): PackageManifest {
  const type = addonType(manifest, archiveSize);
  const guid = readGuid(manifest);
  const defaultLocale =
    typeof manifest.default_locale === 'string' ? canonicalLocaleCode(manifest.default_locale) : null;
  const desktop = readRange(manifest, 'gecko');
  const mobile = { ...readRange(manifest, 'gecko_android'), isSet: hasMobileSettings(manifest) };
  const compatibility = webExtensionCompatibility(type, guid !== null, desktop, mobile, isKnown);
  const resolved = (text: JsonValue | undefined): ManifestTexts => localizedText(text, catalog, defaultLocale);
  const collected = collectedData(manifest);
  return {
    format: 'webextension',
    manifestVersion:
      manifest.manifest_version === 2 || manifest.manifest_version === 3 ? manifest.manifest_version : null,
    guid,
    version: readVersion(manifest.version),
    type,
    name: nameOf(manifest, resolved),
    summary: resolved(manifest.description),
    homepage: onlyWebAddresses(resolved(manifest.homepage_url)),
    defaultLocale,
    unresolvedTexts: writtenTexts(manifest).flatMap(([key, text]) =>
      unresolvedReferences(text, catalog, defaultLocale).map((reference) => ({ key, reference })),
    ),
    compatibility,
    lockedApplications: 'mobile_browser' in compatibility && hasMobileSettings(manifest) ? ['mobile_browser'] : [],
    // A language pack matches the strings of one browser version. Update checks lift the limit of other dictionaries.
    strictCompatibility: type === 'language' || (type === 'dictionary' && desktop.max !== null),
    permissions: readPermissions(writtenPermissions(manifest)),
    optionalPermissions: readPermissions(list(manifest.optional_permissions)),
    hostPermissions: readPermissions(manifest.manifest_version === 3 ? list(manifest.host_permissions) : []),
    dataCollectionPermissions: readPermissions(list(collected.required)),
    optionalDataCollectionPermissions: readPermissions(list(collected.optional)),
    restartRequired: false,
    isExperiment: 'experiment_apis' in manifest,
    targetLocale: targetLocale(manifest, type),
    e10s: 'compatible-webextension',
  };
}

/** The name, or the short name if no message of it exists. */
function nameOf(manifest: JsonObject, resolved: (text: JsonValue | undefined) => ManifestTexts): ManifestTexts {
  const name = resolved(manifest.name);
  return Object.keys(name).length > 0 ? name : resolved(manifest.short_name);
}

function addonType(manifest: JsonObject, archiveSize: number): AddonType {
  if ('theme' in manifest) {
    if (archiveSize > MAX_STATIC_THEME_BYTES) {
      throw new PackageError(message('package.theme_too_large'));
    }
    return 'statictheme';
  }
  if ('langpack_id' in manifest) return 'language';
  return 'dictionaries' in manifest ? 'dictionary' : 'extension';
}

/** A key of the browser's settings. The older name `applications` counts only without the newer one. */
function browserSettings(manifest: JsonObject, key: 'gecko' | 'gecko_android'): JsonObject {
  return optionalObject(keyOf(manifest, key), settingsOf(manifest)[key]);
}

/** Whether the manifest has settings for the mobile browser, even empty ones. */
function hasMobileSettings(manifest: JsonObject): boolean {
  return isJsonObject(settingsOf(manifest).gecko_android);
}

function settingsOf(manifest: JsonObject): JsonObject {
  const key = settingsKey(manifest);
  return optionalObject(key, manifest[key]);
}

const settingsKey = (manifest: JsonObject) =>
  (manifest.browser_specific_settings ?? null) === null ? 'applications' : 'browser_specific_settings';

/** A key of the browser's settings as the manifest writes it. */
const keyOf = (manifest: JsonObject, key: string): string => `${settingsKey(manifest)}.${key}`;

/** Holds the id, so anything but an object is refused. */
function optionalObject(key: string, value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  throw new PackageError(message('manifest.key_not_object', { key, type: jsonTypeOf(value) }));
}

function readGuid(manifest: JsonObject): string | null {
  const guid = browserSettings(manifest, 'gecko').id;
  if (guid === undefined || guid === null || guid === '') return null;
  if (typeof guid !== 'string') {
    throw new PackageError(
      message('manifest.id_not_text', { key: `${keyOf(manifest, 'gecko')}.id`, type: jsonTypeOf(guid) }),
    );
  }
  if (!isGuid(guid)) throw new PackageError(message('manifest.invalid_id', { id: printable(guid) }));
  return guid;
}

function readRange(manifest: JsonObject, key: 'gecko' | 'gecko_android'): WrittenRange {
  const settings = browserSettings(manifest, key);
  return {
    min: readLimit(`${key}.strict_min_version`, settings.strict_min_version),
    max: readLimit(`${key}.strict_max_version`, settings.strict_max_version),
  };
}

/** @throws PackageError for anything but a string */
function readLimit(key: string, limit: JsonValue | undefined): string | null {
  if (limit === undefined || limit === null || limit === '') return null;
  if (typeof limit === 'string') return limit;
  throw new PackageError(message('manifest.app_version_not_text', { key, type: jsonTypeOf(limit) }));
}

function onlyWebAddresses(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => /^https?:\/\/\S+$/i.test(text)));
}

function readPermissions(written: Iterable<JsonValue>): string[] {
  const permissions = new Set<string>();
  for (const value of written) {
    if (!isPermission(value)) continue;
    permissions.add(value);
    if (permissions.size > MAX_PERMISSIONS) {
      throw new PackageError(message('manifest.too_many_permissions', { max: MAX_PERMISSIONS }));
    }
  }
  return [...permissions];
}

/** What the manifest says about data that the add-on collects; the validator reports other forms. */
function collectedData(manifest: JsonObject): JsonObject {
  const written = browserSettings(manifest, 'gecko').data_collection_permissions;
  return isJsonObject(written) ? written : {};
}

function* writtenPermissions(manifest: JsonObject): Generator<JsonValue> {
  yield* list(manifest.permissions);
  if (manifest.manifest_version === 3) yield* list(manifest.host_permissions);
  for (const script of list(manifest.content_scripts)) if (isJsonObject(script)) yield* list(script.matches);
}

function isPermission(value: JsonValue): value is string {
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_PERMISSION_LENGTH;
  return isText && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function targetLocale(manifest: JsonObject, type: AddonType): string | null {
  if (type === 'language') {
    return typeof manifest.langpack_id === 'string' ? canonicalLocaleCode(manifest.langpack_id) : null;
  }
  if (type !== 'dictionary' || !isJsonObject(manifest.dictionaries)) return null;
  const [code] = Object.keys(manifest.dictionaries);
  return code === undefined ? null : canonicalLocaleCode(code);
}
