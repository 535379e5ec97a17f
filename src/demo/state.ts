import { config } from '../config.ts';
import { db } from '../infra/db.ts';
import { log } from '../infra/log.ts';

/** Row of `service_state` with the state of the demo. */
const ROW = 'demo';

/**
 * `off`: no demo was wanted when the database was new. `credentialsShown`: credentials are shown once. `hasWorld`: the catalogue was
 * imported; later changes of it are not undone.
 */
interface DemoState {
  phase: 'off' | 'filling' | 'filled';
  credentialsShown: boolean;
  hasWorld: boolean;
}

/** The state of the demo in this database; null before the first start. */
export async function readDemoState(): Promise<DemoState | null> {
  const row = await db.serviceState.findUnique({ where: { name: ROW }, select: { value: true } });
  return row === null ? null : (row.value as unknown as DemoState);
}

/** Stores changes of the state. */
export async function updateDemoState(change: Partial<DemoState>): Promise<void> {
  const present = (await readDemoState()) ?? { phase: 'off', credentialsShown: false, hasWorld: false };
  const value = { ...present, ...change };
  await db.serviceState.upsert({
    where: { name: ROW },
    create: { name: ROW, value },
    update: { value, modified: new Date() },
  });
}

/** Whether this installation has demo data and `DEMO` is not false. */
export async function isDemo(): Promise<boolean> {
  const state = await readDemoState();
  return config.DEMO !== false && state !== null && state.phase !== 'off';
}

/**
 * Decides at startup whether this installation is a demo and stores the decision, so that later starts continue it and never start
 * a demo in a database in use. In production only `DEMO=true` starts one.
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
  const isEmpty = (await db.account.count({ where: { id: { gt: 0 } } })) === 0;
  if (config.DEMO === true && !isEmpty) log.warn('DEMO=true has no effect: the database already has data.');
  await updateDemoState({ phase: isWanted && isEmpty ? 'filling' : 'off' });
  return isWanted && isEmpty ? readDemoState() : null;
}
