import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const { config } = await import('../../src/config.ts');
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { decideDemo, isDemo, updateDemoState } = await import('../../src/demo/state.ts');

const EMBEDDED = true;

/** The setting and the environment of the start that is about to decide. */
function startWith(DEMO: boolean | undefined, ENVIRONMENT: 'development' | 'production' = 'development'): void {
  Object.assign(config, { DEMO, ENVIRONMENT });
}

async function decide(isEmbedded: boolean): Promise<boolean> {
  return (await decideDemo(isEmbedded)) !== null;
}

beforeEach(async () => {
  await db.serviceState.deleteMany();
});

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('decideDemo', () => {
  it.each([
    [undefined, 'development', EMBEDDED, true],
    [undefined, 'production', EMBEDDED, false],
    [undefined, 'development', !EMBEDDED, false],
    [false, 'development', EMBEDDED, false],
    [true, 'production', !EMBEDDED, true],
  ] as const)('DEMO=%s in %s, embedded %s, empty database: %s', async (demo, environment, isEmbedded, expected) => {
    startWith(demo, environment);

    expect(await decide(isEmbedded)).toBe(expected);
    expect(await isDemo()).toBe(expected);
  });

  it('decides once: a database in use without a demo never gets one', async () => {
    startWith(false);
    await decide(EMBEDDED);

    startWith(undefined);

    expect(await decide(EMBEDDED)).toBe(false);
  });

  // The last two tests create accounts, which the database does not delete: logs may refer to them.
  it('continues an interrupted demo, and pauses while DEMO=false', async () => {
    startWith(undefined);
    await decide(EMBEDDED);
    await db.account.create({ data: { username: 'demo-admin' } });

    expect(await decideDemo(EMBEDDED)).toEqual({ phase: 'filling', credentialsShown: false, hasWorld: false });
    startWith(false);
    expect([await decide(EMBEDDED), await isDemo()]).toEqual([false, false]);
    startWith(undefined);
    await updateDemoState({ phase: 'filled' });
    expect(await decideDemo(EMBEDDED)).toEqual({ phase: 'filled', credentialsShown: false, hasWorld: false });
  });

  it('never fills a database in use, even with DEMO=true', async () => {
    await db.account.create({ data: { username: 'a-user' } });

    for (const demo of [undefined, true]) {
      startWith(demo);
      expect(await decide(EMBEDDED)).toBe(false);
    }
  });
});
