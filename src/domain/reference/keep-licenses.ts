/*
 * The built-in licences, which developers choose from. Each change, the documents of all add-ons that show it and its row of
 * the audit log are one transaction. Whether somebody may do it has been asked before.
 */
import { NotFoundError, refusedField } from '../../errors.ts';
import { againAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { type Actor, recordAudit } from '../activity/record-audit.ts';
import { mergeTranslations, type Texts, type TranslationChange, texts } from '../addons/localized-text.ts';
import { checkLength, checkWebAddress, cleanTexts } from '../listing/check-texts.ts';
import { publishAddons } from '../listing/publish-addons.ts';

/** A licence of many add-ons is part of as many documents, which are written anew with its name. */
const LONGEST_MS = 10 * 60 * 1000;

/** As identifiers of SPDX look. */
const IDENTIFIER = /^[A-Za-z0-9]+(?:[.+-][A-Za-z0-9]+)*\+?$/;
const LONGEST_IDENTIFIER = 64;
const LONGEST_NAME = 200;

/** What changes of a licence; null stays, and an empty address is taken away. */
export interface LicenseChanges {
  name: readonly TranslationChange[] | null;
  text: readonly TranslationChange[] | null;
  url: string | null;
}

interface LicenseRow {
  id: number;
  builtin: string;
  name: unknown;
  text: unknown;
}

/** The built-in licences and the names that they have, in the order in which developers see them. */
export async function listBuiltinLicenses(): Promise<{ builtin: string; name: Texts }[]> {
  const rows = await db.license.findMany({
    where: { builtin: { not: null } },
    orderBy: { id: 'asc' },
    select: { builtin: true, name: true },
  });
  return rows.map(({ builtin, name }) => ({ builtin: builtin ?? '', name: texts(name) }));
}

/**
 * Makes a built-in licence, or changes its names, texts and address. Versions were offered under the words of a licence that is
 * used: these get translations, but no word that is there changes. Returns its id.
 * @throws {InvalidInputError} naming the field at fault: a licence needs a name.
 */
export async function setLicense(actor: Actor, identifier: string, changes: LicenseChanges): Promise<number> {
  const work = async (tx: Transaction) => {
    const known = await findLicense(tx, identifier);
    const present = texts(known?.text ?? {});
    const data = { ...namesOf(known, changes), text: textsOf(present, changes), ...addressOf(changes) };
    const isReworded = Object.entries(present).some(([locale, text]) => data.text[locale] !== text);
    if (known && isReworded && (await isUsed(tx, known.id))) {
      throw refusedField('text', 'Versions were offered under this text. Make another licence instead.');
    }
    const { id, builtin } = known
      ? await tx.license.update({ where: { id: known.id }, data })
      : await tx.license.create({ data: { builtin: checkIdentifier(identifier), ...data } });
    if (known) await publishUsers(tx, id);
    await recordAudit(tx, actor, 'license-set', { builtin, ...data });
    return id;
  };
  return againAfterConflict(() => db.$transaction(work, { timeout: LONGEST_MS }));
}

/**
 * Takes a built-in licence from those that developers choose from.
 * @throws {NotFoundError} where there is none, {InvalidInputError} for one that an add-on or a version is offered under.
 */
export async function deleteLicense(actor: Actor, identifier: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const license = await findLicense(tx, identifier);
    if (license === null) throw new NotFoundError('There is no such licence.');
    if (await isUsed(tx, license.id)) throw refusedField('builtin', 'This licence is used.');
    await tx.license.delete({ where: { id: license.id } });
    await recordAudit(tx, actor, 'license-deleted', { builtin: license.builtin });
  });
}

/** Locked against a second change, and against an add-on that begins to be offered under it. */
async function findLicense(tx: Transaction, identifier: string): Promise<LicenseRow | null> {
  if (!IDENTIFIER.test(identifier)) return null;
  const [row] = await tx.$queryRaw<LicenseRow[]>`
    SELECT id, builtin, name, text FROM license WHERE lower(builtin) = lower(${identifier}) FOR UPDATE`;
  return row ?? null;
}

function namesOf(known: LicenseRow | null, { name }: LicenseChanges): { name: Texts } {
  const merged = mergeTranslations(texts(known?.name ?? {}), name ?? [], 'name');
  if (Object.keys(merged).length === 0) throw refusedField('name', 'A licence needs a name.');
  for (const each of Object.values(merged)) checkLength('name', each, LONGEST_NAME);
  return { name: merged };
}

function textsOf(present: Texts, { text }: LicenseChanges): Texts {
  return cleanTexts('text', present, mergeTranslations(present, text ?? [], 'text'));
}

function addressOf({ url }: LicenseChanges): { url?: string | null } {
  if (url === null) return {};
  const address = url.trim();
  if (address !== '') checkWebAddress('url', address);
  return { url: address || null };
}

function checkIdentifier(identifier: string): string {
  if (IDENTIFIER.test(identifier) && identifier.length <= LONGEST_IDENTIFIER) return identifier;
  throw refusedField('builtin', 'An identifier has letters, digits, and single dots and hyphens, at most 64 of them.');
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
  await publishAddons(
    tx,
    rows.map(({ id }) => id),
  );
}
