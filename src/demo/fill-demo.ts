import { dirname, join } from 'node:path';
import pg from 'pg';
import { renewRecommendations } from '../domain/discovery/renew-recommendations.ts';
import { withCatalogueFile } from '../domain/transfer/catalogue-archive.ts';
import { connectionSettings } from '../infra/db.ts';
import { LOCK_KEYS } from '../infra/lock-keys.ts';
import { log } from '../infra/log.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { settleAll } from '../infra/settle-all.ts';
import { type DemoCredentials, ensureAccounts, issueCredentials, noteCredentialsShown, signIn } from './accounts.ts';
import { CATALOGUE } from './catalogue.ts';
import { DEMO_CATALOGUE, OWN_PICTURES } from './demo-catalogue.ts';
import { importWorld } from './import-world.ts';
import { type OwnPictures, picturesIn } from './own-pictures.ts';
import { publish } from './publish.ts';
import { signWorld } from './sign-world.ts';
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
  if (state === null) return null;
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
  const client = new pg.Client(connectionSettings('addons-demo'));
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [LOCK_KEYS.demo]);
    if (rows[0]?.alone !== true) return;
    await withCatalogueFile(DEMO_CATALOGUE, async (file) => {
      const pictures = picturesIn(join(dirname(file), OWN_PICTURES));
      if (!(await readDemoState())?.hasWorld) await importWorld(file, stopping);
      const rest = completeStates(signIn, pictures).then(() => signWorld(file, stopping));
      await settleAll([publishAll(pictures, stopping), rest]);
    });
    await addUsage();
    // Otherwise the nightly job would compute them.
    await renewRecommendations();
    await updateDemoState({ phase: 'filled' });
    log.info('The demo is complete.');
  } finally {
    await client.end().catch(() => {});
  }
}

/** The developers work in parallel; each publishes one add-on after the other. */
async function publishAll(pictures: OwnPictures, stopping: AbortSignal): Promise<void> {
  const reviewer = await signIn('demo-reviewer');
  const authors = [...new Set(CATALOGUE.map(({ author }) => author))];
  await Promise.all(
    authors.map(async (username) => {
      const author = await signIn(username);
      for (const addon of CATALOGUE.filter((one) => one.author === username)) {
        await publish(addon, { author, reviewer, pictures, stopping });
      }
    }),
  );
}
