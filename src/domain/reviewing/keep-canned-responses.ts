import { isDeepStrictEqual } from 'node:util';
import { NotFoundError, refusedField } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { MAX_NOTE_LENGTH } from '../activity/note-text.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { mergeTranslations, storedTexts, type TranslationChange } from '../addons/localized-text.ts';
import { checkLength } from '../listing/check-texts.ts';

const MAX_NAME_LENGTH = 255;

interface CannedRow {
  id: number;
  name: string;
  text: unknown;
}

/** `name` is null to leave it unchanged. */
interface CannedChanges {
  name: string | null;
  text: readonly TranslationChange[];
}

/**
 * Creates a canned response and returns its id. Callers check permissions.
 * @throws {InvalidInputError} on the invalid field, on `name` for that of another one in any case; a canned response needs a text.
 */
export function createCannedResponse(actor: AuditActor, changes: CannedChanges & { name: string }): Promise<number> {
  // A concurrent request may create one of the same name.
  return retryAfterConflict(() => db.$transaction((tx) => write(tx, actor, null, changes)));
}

/**
 * Changes a canned response and returns its id. Repeating a change has no effect. Callers check permissions.
 * @throws {NotFoundError}; {InvalidInputError} as `createCannedResponse` does.
 */
export function updateCannedResponse(actor: AuditActor, id: number, changes: CannedChanges): Promise<number> {
  return retryAfterConflict(() => db.$transaction((tx) => write(tx, actor, id, changes)));
}

async function write(tx: Transaction, actor: AuditActor, id: number | null, changes: CannedChanges): Promise<number> {
  const name = changes.name === null ? null : checkName(changes.name);
  const sameName = name === null ? null : await lockByName(tx, name);
  const known = id === null ? null : await lockById(tx, id);
  if (id !== null && known === null) throw new NotFoundError();
  if (sameName !== null && sameName.id !== known?.id) throw refusedField('name', message('canned_response.name_taken'));
  const data = { name: name ?? known?.name ?? requireName(), text: textsOf(known, changes) };
  if (known && isDeepStrictEqual({ ...data, ...known }, { ...known, ...data })) return known.id;
  const row = known
    ? await tx.cannedResponse.update({ where: { id: known.id }, data })
    : await tx.cannedResponse.create({ data });
  await recordAudit(tx, actor, 'canned-response-set', { id: row.id, ...data });
  return row.id;
}

/** Deletes a canned response and returns its former id. Callers check permissions. @throws {NotFoundError} */
export async function deleteCannedResponse(actor: AuditActor, id: number): Promise<number> {
  return db.$transaction(async (tx) => {
    const known = await lockById(tx, id);
    if (known === null) throw new NotFoundError();
    await tx.cannedResponse.delete({ where: { id } });
    await recordAudit(tx, actor, 'canned-response-deleted', { id, name: known.name });
    return id;
  });
}

async function lockById(tx: Transaction, id: number): Promise<CannedRow | null> {
  const [row] = await tx.$queryRaw<CannedRow[]>`
    SELECT id, name::text, text FROM canned_response WHERE id = ${id} FOR UPDATE`;
  return row ?? null;
}

async function lockByName(tx: Transaction, name: string): Promise<CannedRow | null> {
  const [row] = await tx.$queryRaw<CannedRow[]>`
    SELECT id, name::text, text FROM canned_response WHERE name = ${name}::citext FOR UPDATE`;
  return row ?? null;
}

function checkName(given: string): string {
  const name = given.trim();
  if (name === '') return requireName();
  if (/\p{Cc}/u.test(name)) throw refusedField('name', message('field.control_characters'));
  checkLength('name', name, MAX_NAME_LENGTH);
  return name.toWellFormed();
}

function requireName(): never {
  throw refusedField('name', message('field.blank'));
}

function textsOf(known: CannedRow | null, { text }: CannedChanges): Record<string, string> {
  const merged = mergeTranslations(storedTexts(known?.text ?? {}), text, 'text');
  if (Object.keys(merged).length === 0) throw refusedField('text', message('field.blank'));
  for (const each of Object.values(merged)) checkLength('text', each, MAX_NOTE_LENGTH);
  return merged;
}
