import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { renewRecommendations } from '../domain/discovery/renew-recommendations.ts';
import { addonsToSign, queueImportedSigning } from '../domain/signing/sign-imported.ts';
import { withCatalogueFile } from '../domain/transfer/catalogue-archive.ts';
import { importCatalogue } from '../domain/transfer/import-catalogue.ts';
import { describeBadLine, type LineError } from '../domain/transfer/line-error.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';
import { sessionSettings } from '../infra/db.ts';
import { LOCK_KEYS } from '../infra/lock-keys.ts';
import { log } from '../infra/log.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { settleAll } from '../infra/settle-all.ts';
import { type DemoCredentials, ensureAccounts, issueCredentials, noteCredentialsShown, signIn } from './accounts.ts';
import { CATALOGUE } from './catalogue.ts';
import { addCollections } from './collections.ts';
import { DEMO_CATALOGUE, movedToDay, OWN_PICTURES } from './demo-catalogue.ts';
import { endFillingNotice, showFillingNotice } from './filling-notice.ts';
import { type OwnPictures, picturesIn } from './own-pictures.ts';
import { publishDemo } from './publish.ts';
import { addRatings } from './ratings.ts';
import { decideDemo, readDemoState, updateDemoState } from './state.ts';
import { completeStates } from './states.ts';
import { addUsage } from './usage.ts';

/** The demo of this installation. */
export interface Demo {
  /** Null when an earlier start has shown them. */
  credentials: DemoCredentials | null;
  /** To be called after the credentials were shown. */
  noteShown(): Promise<void>;
  /** Imports and publishes the missing parts of the demo until it is complete or `stopping` is aborted. Never rejects. */
  fill(stopping: AbortSignal): Promise<void>;
}

/** Creates the accounts of the demo; returns null when this installation is not a demo. */
export async function prepareDemo(isEmbedded: boolean): Promise<Demo | null> {
  const state = await decideDemo(isEmbedded);
  if (state === null) {
    // An earlier start with the demo may have been killed while it showed the notice.
    if ((await readDemoState())?.phase === 'filling') await endFillingNotice();
    return null;
  }
  await ensureAccounts();
  return {
    credentials: await issueCredentials(),
    noteShown: noteCredentialsShown,
    fill: async (stopping) => {
      if (state.phase === 'filled') return;
      try {
        await fillAlone(stopping);
      } catch (error) {
        if (!stopping.aborted) log.warn({ err: error }, 'The demo is not complete. The next start continues it.');
      }
    },
  };
}

/** Fills the demo unless another process does, or the service is in read-only mode. */
async function fillAlone(stopping: AbortSignal): Promise<void> {
  if (await isReadOnly()) return;
  const client = new pg.Client(sessionSettings('addons-demo'));
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [LOCK_KEYS.demo]);
    if (rows[0]?.alone !== true) return;
    await showFillingNotice();
    try {
      await fillParts(stopping);
    } finally {
      await endFillingNotice();
    }
    await updateDemoState({ phase: 'filled' });
    log.info('The demo is complete.');
  } finally {
    await client.end().catch(() => {});
  }
}

/** Each part is safe to repeat after an interruption. */
async function fillParts(stopping: AbortSignal): Promise<void> {
  await withCatalogueFile(DEMO_CATALOGUE, async (file) => {
    const pictures = picturesIn(join(dirname(file), OWN_PICTURES));
    if (!(await readDemoState())?.hasWorld) await importWorld(file, stopping);
    const rest = completeStates(signIn, pictures).then(() => signWorld(file, stopping));
    await settleAll([publishAll(pictures, stopping), rest]);
  });
  await addUsage();
  await addCollections();
  await addRatings(signIn);
  // Otherwise the nightly job would compute them.
  await renewRecommendations();
}

/** The developers work in parallel; each publishes one add-on after the other. */
async function publishAll(pictures: OwnPictures, stopping: AbortSignal): Promise<void> {
  const reviewer = await signIn('demo-reviewer');
  const authors = [...new Set(CATALOGUE.map(({ author }) => author))];
  await Promise.all(
    authors.map(async (username) => {
      const author = await signIn(username);
      for (const addon of CATALOGUE.filter((one) => one.author === username)) {
        await publishDemo(addon, { author, reviewer, pictures, stopping });
      }
    }),
  );
}

const LOOK_MS = 500;

/** Lets the worker sign the imported packages of a file of lines, and waits until it has. @throws when `stopping` is aborted. */
async function signWorld(file: string, stopping: AbortSignal): Promise<void> {
  const guids = await guidsIn(file);
  await queueImportedSigning(await addonsToSign(guids));
  while ((await addonsToSign(guids)).length > 0) await sleep(LOOK_MS, undefined, { signal: stopping });
}

/** The guids of the add-ons in a file of lines. */
async function guidsIn(file: string): Promise<string[]> {
  const guids: string[] = [];
  for await (const line of (await openLineFile(file)).lines) {
    const { kind, guid } = JSON.parse(String(line)) as { kind: string; guid?: string };
    if (kind === 'addon' && guid !== undefined) guids.push(guid);
  }
  return guids;
}

/**
 * Imports the demo catalogue, a file of lines, in one transaction and records that it exists. Lines that conflict with existing
 * rows are left out.
 * @throws when `stopping` is aborted before all lines have been read, and what `importCatalogue` throws.
 */
export async function importWorld(file: string, stopping: AbortSignal): Promise<void> {
  log.info('Importing the demo catalogue.');
  const { lines } = await openLineFile(file);
  const { imported, skipped } = await importCatalogue({
    lines: movedToToday(lines, stopping),
    baseFolder: dirname(file),
    skipBad: true,
  });
  for (const line of skipped) log.warn(`A line of the demo catalogue was left out: ${describeBadLine(line)}`);
  await updateDemoState({ hasWorld: true });
  log.info(`The demo catalogue is imported: ${imported.addon} add-ons.`);
}

/** The lines with dates up to today; throws once `stopping` is aborted. */
async function* movedToToday(lines: AsyncIterable<string | LineError>, stopping: AbortSignal) {
  const today = new Date();
  for await (const line of lines) {
    stopping.throwIfAborted();
    yield typeof line === 'string' ? movedToDay(line, today) : line;
  }
}
