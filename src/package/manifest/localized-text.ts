/*
 * The texts of a manifest per language. A WebExtension writes `__MSG_key__` and has the texts in
 * `_locales/<locale>/messages.json`. Unreadable locale files are ignored here; the validator reports them. Only the messages
 * that the manifest refers to are kept, so memory does not depend on the size of the files.
 */
import { PackageError } from '../../errors.ts';
import { directionOf } from '../../texts/languages.ts';
import type { ZipArchive, ZipEntry } from '../zip/zip-archive.ts';
import { DEFAULT_LOCALE_KEY, decodeManifest, type ManifestTexts } from './package-manifest.ts';
import { isJsonObject, type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from './parse-json.ts';

/* The format of messages in `_locales/<locale>/messages.json`, as browsers read it. Texts of a manifest have no substitutions. */

/** Longer messages and contents of placeholders are cut: a text of a manifest is shorter. */
const MAX_PART_LENGTH = 2000;
const PLACEHOLDER = /\$([A-Za-z0-9@_]+)\$/g;
/** A substitution such as `$1`, or dollar signs, of which the first escapes the others. */
const SUBSTITUTION = /\$(?:[1-9]\d*|(\$+))/g;

/**
 * The text of an entry of `messages.json`, with the contents of its placeholders; names are compared without case, and an unknown
 * one is empty. Null when the entry has no message.
 */
function messageOf(entry: JsonValue | undefined): string | null {
  if (!isJsonObject(entry) || typeof entry.message !== 'string') return null;
  const contents = placeholderContents(entry.placeholders);
  const text = entry.message
    .slice(0, MAX_PART_LENGTH)
    .replace(PLACEHOLDER, (_, name: string) => contents.get(name.toLowerCase()) ?? '');
  return text.replace(SUBSTITUTION, (_, dollars: string | undefined) => dollars ?? '');
}

function placeholderContents(placeholders: JsonValue | undefined): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  for (const [name, placeholder] of Object.entries(isJsonObject(placeholders) ? placeholders : ({} as JsonObject))) {
    const content = isJsonObject(placeholder) ? placeholder.content : undefined;
    if (typeof content === 'string') contents.set(name.toLowerCase(), content.slice(0, MAX_PART_LENGTH));
  }
  return contents;
}

/** A predefined message by upper-cased key. Undefined for others, such as `@@extension_id`, which is made at installation. */
function predefinedMessage(key: string, locale: string): string | undefined {
  const isReversed = directionOf(locale) === 'rtl';
  switch (key) {
    case '@@UI_LOCALE':
      return locale.replaceAll('-', '_');
    case '@@BIDI_DIR':
      return isReversed ? 'rtl' : 'ltr';
    case '@@BIDI_REVERSED_DIR':
      return isReversed ? 'ltr' : 'rtl';
    case '@@BIDI_START_EDGE':
      return isReversed ? 'right' : 'left';
    case '@@BIDI_END_EDGE':
      return isReversed ? 'left' : 'right';
    default:
      return undefined;
  }
}

/** Messages of one locale by upper-cased key, because browsers ignore the case of keys. */
type Messages = ReadonlyMap<string, string>;

/** Messages by canonical locale, in the order of the archive. */
export type MessageCatalog = ReadonlyMap<string, Messages>;

const MAX_TEXT_LENGTH = 1000;
const MAX_MESSAGES_FILE_BYTES = 1024 * 1024;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_LOCALES = 300;
const MESSAGES_FILE = /^_locales\/([A-Za-z0-9_-]{2,35})\/messages\.json$/;
const MESSAGE_REFERENCE = /__MSG_([A-Za-z0-9@_]{1,200}?)__/g;

/** The messages that texts of a manifest refer to, as upper-cased keys. */
export function messageKeys(texts: readonly (JsonValue | undefined)[]): Set<string> {
  const raw = texts.map((text) => (typeof text === 'string' ? cleanText(text) : ''));
  return new Set(raw.flatMap((text) => [...text.matchAll(MESSAGE_REFERENCE)].map(([, key = '']) => key.toUpperCase())));
}

/** Makes a text one storable line of at most 1,000 characters, without control characters and lone surrogates. */
export function cleanText(text: string): string {
  const line = text
    .slice(0, 2 * MAX_TEXT_LENGTH)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return line.slice(0, MAX_TEXT_LENGTH).toWellFormed().trimEnd();
}

/**
 * Reads the messages with these keys from `_locales/*\/messages.json`: at most 300 locales, 1 MiB each and 16 MiB together;
 * the rest is ignored. Of folders with equivalent names (`en_US`, `en-us`), the first counts.
 */
export async function readMessageCatalog(archive: ZipArchive, keys: ReadonlySet<string>): Promise<MessageCatalog> {
  const catalog = new Map<string, Messages>();
  if (keys.size === 0) return catalog;
  let bytes = 0;
  for (const entry of archive.entries) {
    const folder = entry.directory ? undefined : MESSAGES_FILE.exec(entry.name)?.[1];
    const locale = folder === undefined ? null : canonicalLocaleCode(folder);
    if (locale === null || catalog.has(locale) || entry.size > MAX_MESSAGES_FILE_BYTES) continue;
    bytes += entry.size;
    if (bytes > MAX_MESSAGE_BYTES || catalog.size === MAX_LOCALES) break;
    const messages = await readMessages(archive, entry, keys);
    if (messages !== null) catalog.set(locale, messages);
  }
  return catalog;
}

async function readMessages(archive: ZipArchive, entry: ZipEntry, keys: ReadonlySet<string>): Promise<Messages | null> {
  const bytes = await archive.read(entry, MAX_MESSAGES_FILE_BYTES);
  try {
    return parseMessages(decodeManifest(bytes, 'messages.json'), keys);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof PackageError) return null;
    throw error;
  }
}

/**
 * Reads the messages with these upper-cased keys from one `messages.json`, an object of `{message}` by key. Repeated keys are
 * allowed, as in browsers.
 * @throws JsonSyntaxError when it is not JSON
 */
export function parseMessages(text: string, keys: ReadonlySet<string>): Messages {
  const messages = new Map<string, string>();
  const json = parseJson(text, { duplicateKeys: 'last-wins' });
  if (!isJsonObject(json)) return messages;
  for (const [key, entry] of Object.entries(json)) {
    const name = key.toUpperCase();
    const text = keys.has(name) ? messageOf(entry) : null;
    if (text !== null) messages.set(name, cleanText(text));
  }
  return messages;
}

/**
 * Resolves a manifest text for the default locale (null: `DEFAULT_LOCALE_KEY`) and every locale with a message for it. Missing
 * messages come from the language of the locale (`en` for `en-US`), then from the default locale. Locales in which a reference
 * stays unresolved have no text.
 */
export function localizedText(
  written: JsonValue | undefined,
  catalog: MessageCatalog,
  defaultLocale: string | null,
): ManifestTexts {
  const raw = rawText(written);
  const own = [...catalog].filter(([locale, messages]) => locale !== defaultLocale && hasMessageOf(raw, messages));
  const texts: ManifestTexts = {};
  for (const locale of [defaultLocale, ...own.map(([locale]) => locale)]) {
    const text = resolve(raw, catalog, locale, defaultLocale);
    if (text !== null && text !== '') texts[locale ?? DEFAULT_LOCALE_KEY] = text;
  }
  return texts;
}

/** The references of a manifest text that have no message in the default locale, as written. */
export function unresolvedReferences(
  written: JsonValue | undefined,
  catalog: MessageCatalog,
  defaultLocale: string | null,
): string[] {
  const find = finder(catalog, defaultLocale, defaultLocale);
  const references = [...rawText(written).matchAll(MESSAGE_REFERENCE)];
  return references.filter(([, key = '']) => find(key.toUpperCase()) === undefined).map(([reference]) => reference);
}

const rawText = (written: JsonValue | undefined): string => (typeof written === 'string' ? cleanText(written) : '');

function hasMessageOf(raw: string, messages: Messages): boolean {
  return [...raw.matchAll(MESSAGE_REFERENCE)].some(([, key = '']) => Boolean(messages.get(key.toUpperCase())));
}

/** Finds messages in a locale, its language, the default locale and its language; an empty message counts as missing. */
function finder(catalog: MessageCatalog, locale: string | null, defaultLocale: string | null) {
  const languageOf = (code: string): string => code.split('-')[0] ?? code;
  const codes = [locale, defaultLocale].flatMap((code) => (code === null ? [] : [code, languageOf(code)]));
  const sources = codes.map((code) => catalog.get(code));
  return (key: string): string | undefined =>
    (locale !== null ? predefinedMessage(key, locale) : undefined) ??
    sources.map((messages) => messages?.get(key)).find(Boolean);
}

/** Null when a reference has no message. */
function resolve(
  raw: string,
  catalog: MessageCatalog,
  locale: string | null,
  defaultLocale: string | null,
): string | null {
  const find = finder(catalog, locale, defaultLocale);
  let isComplete = true;
  const resolved = raw.replace(MESSAGE_REFERENCE, (_, key: string) => {
    const found = find(key.toUpperCase());
    if (found === undefined) isComplete = false;
    return found ?? '';
  });
  return isComplete ? cleanText(resolved) : null;
}

const MAX_CODE_LENGTH = 35;
const CODE = /^[a-z]{2,3}(?:[_-][a-z0-9]{1,8})*$/i;

/**
 * The canonical form of a language code: `en_us` becomes `en-US`, `zh-hant-tw` becomes `zh-Hant-TW`. Only case and separator
 * change; browsers' own codes, such as `ja-JP-mac`, are kept.
 * @returns `null` when the text is not a language code
 */
export function canonicalLocaleCode(code: string): string | null {
  if (code.length > MAX_CODE_LENGTH || !CODE.test(code)) return null;
  const [language = '', ...subtags] = code.toLowerCase().split(/[_-]/);
  return [language, ...subtags.map(canonicalSubtag)].join('-');
}

function canonicalSubtag(subtag: string): string {
  if (subtag.length === 2) return subtag.toUpperCase();
  if (/^[a-z]{4}$/.test(subtag)) return subtag.charAt(0).toUpperCase() + subtag.slice(1);
  return subtag;
}
