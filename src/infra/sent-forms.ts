/* Forms of pages that were sent, so that a form that arrives twice acts once. */
import { db } from './db.ts';

/** How long a form that was sent acts no more, in hours. */
const KEPT_HOURS = 24;

/** A form that an earlier request has sent. */
export interface SentForm {
  isFinished: boolean;
  /** Where it led; null for content that was shown once, and while it is not finished. */
  location: string | null;
  created: Date;
  /** In milliseconds. */
  age: number;
}

/** Records that a form acts, before it does. Returns the earlier record if it was sent before, else null. */
export async function claimSentForm(hash: Buffer): Promise<SentForm | null> {
  const key = new Uint8Array(hash);
  const isFirst = (await db.$executeRaw`INSERT INTO sent_form (hash) VALUES (${key}) ON CONFLICT DO NOTHING`) === 1;
  return isFirst ? null : findSentForm(hash);
}

/** The record of a form; null if it was never sent, or was refused. */
export async function findSentForm(hash: Buffer): Promise<SentForm | null> {
  const [row] = await db.$queryRaw<SentForm[]>`
    SELECT finished IS NOT NULL AS "isFinished", location, created,
      (extract(epoch FROM clock_timestamp() - created) * 1000)::float8 AS age
    FROM sent_form WHERE hash = ${new Uint8Array(hash)}`;
  return row ?? null;
}

/** Records where a form led; null for content that is shown once. */
export async function finishSentForm(hash: Buffer, location: string | null): Promise<void> {
  await db.$executeRaw`
    UPDATE sent_form SET finished = clock_timestamp(), location = ${location} WHERE hash = ${new Uint8Array(hash)}`;
}

/** Deletes the record of a form that was refused: it may be sent again. */
export async function releaseSentForm(hash: Buffer): Promise<void> {
  await db.$executeRaw`DELETE FROM sent_form WHERE hash = ${new Uint8Array(hash)}`;
}

/** Removes records of more than 24 hours. Returns how many. */
export async function purgeSentForms(): Promise<number> {
  return db.$executeRaw`DELETE FROM sent_form WHERE created < now() - make_interval(hours => ${KEPT_HOURS})`;
}
