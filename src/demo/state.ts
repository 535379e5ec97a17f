import { config } from '../config.ts';
import { db } from '../infra/db.ts';
import { log } from '../infra/log.ts';

/** The row of `service_state` that says whether this installation is a demo, and how far its data has come. */
const ROW = 'demo';

/**
 * `off`: no demo was wanted when the database was new. `credentialsShown`: keys are shown once. `hasWorld`: its catalogue was
 * imported, and what has become of it since is not touched again.
 */
export interface DemoState {
  phase: 'off' | 'filling' | 'filled';
  credentialsShown: boolean;
  hasWorld: boolean;
}

/** What is known about the demo in this database; null before the first start. */
export async function readDemoState(): Promise<DemoState | null> {
  const row = await db.serviceState.findUnique({ where: { name: ROW }, select: { value: true } });
  return row === null ? null : (row.value as unknown as DemoState);
}

/** Stores what has changed about the demo. */
export async function updateDemoState(change: Partial<DemoState>): Promise<void> {
  const present = (await readDemoState()) ?? { phase: 'off', credentialsShown: false, hasWorld: false };
  const value = { ...present, ...change };
  await db.serviceState.upsert({
    where: { name: ROW },
    create: { name: ROW, value },
    update: { value, modified: new Date() },
  });
}

/** Whether this installation has demo data and still wants to be a demo. */
export async function isDemo(): Promise<boolean> {
  const state = await readDemoState();
  return config.DEMO !== false && state !== null && state.phase !== 'off';
}

/**
 * Decides at a start whether this installation is a demo, and notes it, so that later starts go on with what was begun and
 * never begin a demo in a database that has come into use. Production gets one only when DEMO=true asks for it.
 */
export async function decideDemo(isEmbedded: boolean): Promise<DemoState | null> {
  const known = await readDemoState();
  if (config.DEMO === false) {
    if (known === null) await updateDemoState({ phase: 'off' });
    return null;
  }
  if (known !== null && known.phase !== 'off') return known;
  const isNew = known === null && isEmbedded && config.ENVIRONMENT !== 'production';
  const isWanted = config.DEMO === true || isNew;
  const isEmpty = (await db.account.count()) === 0;
  if (config.DEMO === true && !isEmpty) log.warn('DEMO=true: the database is in use already, so it gets no demo data.');
  await updateDemoState({ phase: isWanted && isEmpty ? 'filling' : 'off' });
  return isWanted && isEmpty ? readDemoState() : null;
}
