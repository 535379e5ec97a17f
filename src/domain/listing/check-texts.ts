/* Validation rules for the texts of a listing, by field. They apply to new and changed texts only, not to stored ones. */
import { config } from '../../config.ts';
import { PackageError, refusedField } from '../../errors.ts';
import { storableText } from '../../infra/storable-text.ts';
import { checkAddonName } from '../../package/manifest/identity.ts';
import { canonicalLocale } from '../../texts/locales.ts';
import { message } from '../../texts/messages.ts';
import { isMailbox } from '../accounts/new-account.ts';
import { cleanHtmlTexts } from '../addons/clean-html.ts';
import {
  MAX_TEXT_LENGTH,
  mergeTranslations,
  type TextsByLocale,
  type TranslationChange,
} from '../addons/localized-text.ts';
import { type ListingCheck, type NamedListingField, type TranslatedField, translatedFields } from './fields.ts';

/** @throws {InvalidInputError} on `field` for a text of more characters than the limit. */
export function checkLength(field: string, text: string, max: number): void {
  const length = [...text].length;
  if (length > max) {
    throw refusedField(field, message('listing.text_too_long', { count: max, length }));
  }
}

const HOST = /^(?:localhost|\[[0-9a-f:.]+\]|(?=.*[a-z\d])[a-z\d-]+(?:\.[a-z\d-]+)+\.?)$/i;

/** Whether a text is an absolute web URL without user info and control characters, whose host is localhost or has a dot. */
export function isPublicWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  return HOST.test(hostname) && username === '' && password === '';
}

/** @throws {InvalidInputError} on `field` unless the text is an absolute web URL of at most 255 characters. */
export function checkWebAddress(field: string, address: string): void {
  checkLength(field, address, 255);
  requireWebAddress(field, address);
}

function requireWebAddress(field: string, address: string): void {
  if (!isPublicWebAddress(address)) throw refusedField(field, message('field.not_url'));
}

function checkWords(field: string, text: string): void {
  if (/[\p{L}\p{N}]/u.test(text)) return;
  throw refusedField(field, message('listing.name_unreadable'));
}

/** Control and bidirectional formatting characters. Joiners are allowed, because some scripts need them. */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

function checkName(field: string, text: string): void {
  checkWords(field, text);
  if (CONTROLS.test(text)) {
    throw refusedField(field, message('listing.name_control_characters'));
  }
  try {
    checkAddonName(text, config.RESERVED_NAMES);
  } catch (error) {
    if (error instanceof PackageError) throw refusedField(field, error.reason);
    throw error;
  }
}

const LOCALE_CODE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i;

function checkLanguage(field: string, code: string): void {
  if (!LOCALE_CODE.test(code))
    throw refusedField(field, message('field.unknown_language', { code: code.slice(0, 32) }));
}

function checkMailbox(field: string, text: string): void {
  if (!isMailbox(text)) throw refusedField(field, message('field.not_email'));
}

const CHECKS: Readonly<Record<ListingCheck, (field: string, text: string) => void>> = {
  name: checkName,
  words: checkWords,
  url: requireWebAddress,
  email: checkMailbox,
  language: checkLanguage,
};

const FIELDS: ReadonlyMap<TranslatedField, NamedListingField> = new Map(
  translatedFields.map((field) => [field.name, field]),
);

/** Validates a text of a field that is new. @throws {InvalidInputError} on the field. */
function checkText({ name, max, check }: NamedListingField, text: string): void {
  if (max !== undefined) checkLength(name, text, max);
  if (check !== undefined) CHECKS[check](name, text);
}

/**
 * The stored form of a field with one text: null without one.
 * @throws {InvalidInputError} on the field for an invalid text.
 */
export function readText(field: NamedListingField, text: string | null): string | null {
  const written = (text ?? '').trim();
  if (written === '') return null;
  checkText(field, written);
  return storableText(written);
}

/**
 * Validates changes to a translated field, cleans HTML in them, and returns the resulting texts.
 * @throws {InvalidInputError} on the field for an unsupported language, an invalid text, and when the change deletes the name
 * or summary in the default language.
 */
export function changeTexts(
  name: TranslatedField,
  { present, defaultLocale }: { present: TextsByLocale; defaultLocale: string },
  changes: readonly TranslationChange[],
): TextsByLocale {
  const field = FIELDS.get(name) as NamedListingField;
  const merged = mergeTranslations(present, changes, name);
  for (const [locale, text] of Object.entries(merged)) {
    if (text !== present[locale]) checkText(field, text);
  }
  if (field.isRequired && !Object.hasOwn(merged, defaultLocale)) {
    const removal = changes.find(({ locale }) => canonicalLocale(locale) === defaultLocale);
    if (removal === undefined) throw refusedField(name, message('field.required'));
    throw refusedField(name, message(removal.value == null ? 'field.null' : 'field.blank'));
  }
  return field.kind === 'html' ? cleanTexts(name, present, merged) : merged;
}

/**
 * Cleans the HTML of new texts; unchanged texts are clean already. The length limit applies after cleaning, entities
 * included, so that clients can send back a text as they read it.
 * @throws {InvalidInputError} on `field` for a text that is too long.
 */
export function cleanTexts(field: string, present: TextsByLocale, written: TextsByLocale): TextsByLocale {
  const changed = Object.entries(written).filter(([locale, text]) => text !== present[locale]);
  const cleaned = cleanHtmlTexts(Object.fromEntries(changed));
  for (const text of Object.values(cleaned)) checkLength(field, text, MAX_TEXT_LENGTH);
  const kept = Object.entries(written).filter(([locale, text]) => text === present[locale]);
  return { ...Object.fromEntries(kept), ...cleaned };
}

/**
 * Checks that all required texts exist in a new default language.
 * @throws {InvalidInputError} that lists the missing fields.
 */
export function checkDefaultLocale(
  texts: Record<'name' | 'summary' | 'description', TextsByLocale>,
  locale: string,
): void {
  const missing = Object.entries(texts).flatMap(([name, all]) => (Object.hasOwn(all, locale) ? [] : [`'${name}'`]));
  if (missing.length === 0) return;
  throw refusedField('defaultLocale', message('listing.locale_incomplete', { fields: missing.join(', ') }));
}
