/*
 * The built-in licences, which developers choose from. Each change, the documents of all affected add-ons and the audit row
 * are one transaction, and repeating a change has no effect. Callers check permissions.
 */
import { isDeepStrictEqual } from 'node:util';
import { NotFoundError, refusedField } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import {
  mergeTranslations,
  storedTexts,
  type TextsByLocale,
  type TranslationChange,
} from '../addons/localized-text.ts';
import { checkLength, checkWebAddress, cleanTexts } from '../listing/check-texts.ts';
import { publishAddons } from '../listing/publish-addons.ts';

/** Transaction timeout: changing a licence rewrites the documents of all add-ons that use it. */
const TIMEOUT_MS = 10 * 60 * 1000;

/** An SPDX identifier. */
const IDENTIFIER = /^[A-Za-z0-9]+(?:[.+-][A-Za-z0-9]+)*\+?$/;
const MAX_IDENTIFIER = 64;
const MAX_NAME = 200;

/** Null leaves a field unchanged; an empty `url` removes the address. */
interface LicenseChanges {
  name: readonly TranslationChange[] | null;
  text: readonly TranslationChange[] | null;
  url: string | null;
  /** Whether the licence must not exist yet. */
  isNew?: boolean;
}

interface LicenseRow {
  id: number;
  builtin: string;
  name: unknown;
  text: unknown;
  url: string | null;
}

/** The built-in licences in display order. */
export async function listBuiltinLicenses(): Promise<{ builtin: string; name: TextsByLocale }[]> {
  const rows = await db.license.findMany({
    where: { builtin: { not: null } },
    orderBy: { id: 'asc' },
    select: { builtin: true, name: true },
  });
  return rows.map(({ builtin, name }) => ({ builtin: builtin ?? '', name: storedTexts(name) }));
}

/**
 * Creates a built-in licence, or changes its names, texts and address. Returns its id. Existing texts of a licence in use
 * cannot change, because versions were published under them.
 * @throws {InvalidInputError} on the invalid field; a licence needs a name.
 */
export async function setLicense(actor: AuditActor, identifier: string, changes: LicenseChanges): Promise<number> {
  const work = async (tx: Transaction) => {
    const known = await findLicense(tx, identifier);
    if (changes.isNew && known) throw refusedField('builtin', message('curation.exists'));
    const present = storedTexts(known?.text ?? {});
    const data = { ...namesOf(known, changes), text: textsOf(present, changes), ...addressOf(changes) };
    if (known && isDeepStrictEqual({ ...data, ...known }, { ...known, ...data })) return known.id;
    const isReworded = Object.entries(present).some(([locale, text]) => data.text[locale] !== text);
    if (known && isReworded && (await isUsed(tx, known.id))) {
      throw refusedField('text', message('license.text_in_use'));
    }
    const { id, builtin } = known
      ? await tx.license.update({ where: { id: known.id }, data })
      : await tx.license.create({ data: { builtin: checkIdentifier(identifier), ...data } });
    if (known) await publishUsers(tx, id);
    await recordAudit(tx, actor, 'license-set', { builtin, ...data });
    return id;
  };
  return retryAfterConflict(() => db.$transaction(work, { timeout: TIMEOUT_MS }));
}

/**
 * Deletes a built-in licence. Returns its former id.
 * @throws {NotFoundError}, {InvalidInputError} for a licence that an add-on or a version uses.
 */
export async function deleteLicense(actor: AuditActor, identifier: string): Promise<number> {
  return db.$transaction(async (tx) => {
    const license = await findLicense(tx, identifier);
    if (license === null) throw new NotFoundError(message('license.unknown'));
    if (await isUsed(tx, license.id)) throw refusedField('builtin', message('license.used'));
    await tx.license.delete({ where: { id: license.id } });
    await recordAudit(tx, actor, 'license-deleted', { builtin: license.builtin });
    return license.id;
  });
}

/** Locks the row against concurrent changes and new uses. */
async function findLicense(tx: Transaction, identifier: string): Promise<LicenseRow | null> {
  if (!IDENTIFIER.test(identifier)) return null;
  const [row] = await tx.$queryRaw<LicenseRow[]>`
    SELECT id, builtin, name, text, url FROM license WHERE lower(builtin) = lower(${identifier}) FOR UPDATE`;
  return row ?? null;
}

function namesOf(known: LicenseRow | null, { name }: LicenseChanges): { name: TextsByLocale } {
  const merged = mergeTranslations(storedTexts(known?.name ?? {}), name ?? [], 'name');
  if (Object.keys(merged).length === 0) throw refusedField('name', message('license.no_name'));
  for (const each of Object.values(merged)) checkLength('name', each, MAX_NAME);
  return { name: merged };
}

function textsOf(present: TextsByLocale, { text }: LicenseChanges): TextsByLocale {
  return cleanTexts('text', present, mergeTranslations(present, text ?? [], 'text'));
}

function addressOf({ url }: LicenseChanges): { url?: string | null } {
  if (url === null) return {};
  const address = url.trim();
  if (address !== '') checkWebAddress('url', address);
  return { url: address || null };
}

function checkIdentifier(identifier: string): string {
  if (IDENTIFIER.test(identifier) && identifier.length <= MAX_IDENTIFIER) return identifier;
  throw refusedField('builtin', message('license.invalid_identifier'));
}

async function isUsed(tx: Transaction, licenseId: number): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ used: boolean }[]>`
    SELECT EXISTS (SELECT FROM version WHERE license_id = ${licenseId})
        OR EXISTS (SELECT FROM addon WHERE license_id = ${licenseId}) AS used`;
  return row?.used === true;
}

async function publishUsers(tx: Transaction, licenseId: number): Promise<void> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT addon_id AS id FROM version WHERE license_id = ${licenseId}
    UNION SELECT id FROM addon WHERE license_id = ${licenseId}`;
  const addonIds = rows.map(({ id }) => id);
  await publishAddons(tx, addonIds);
}
