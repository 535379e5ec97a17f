import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const { config } = await import('../../src/config.ts');
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { siteNotice } = await import('../../src/infra/read-only.ts');
const { setSiteNotice } = await import('../../src/domain/maintenance/site-notice.ts');
const { prepareDemo } = await import('../../src/demo/fill-demo.ts');
const { showFillingNotice } = await import('../../src/demo/filling-notice.ts');

const OWN = { en: 'Maintenance on Sunday.' };

beforeEach(async () => {
  Object.assign(config, { DEMO: true, ENVIRONMENT: 'development' });
  await setSiteNotice('test', {});
});

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

/** A start that is stopped while it fills the demo. */
async function stoppedStart(): Promise<void> {
  const demo = await prepareDemo(true);
  await demo?.fill(AbortSignal.abort());
}

/** The notices that were set, in the order of the audit log, without those of the tests. */
async function noticesOfDemo(): Promise<unknown[]> {
  const rows = await db.auditEntry.findMany({ where: { actor: 'demo' }, orderBy: { id: 'asc' } });
  return rows.map(({ details }) => (details as { texts: { en?: string } }).texts.en ?? null);
}

describe('the notice while the demo is being filled', () => {
  it('is shown during the import, and removed afterwards', async () => {
    await stoppedStart();

    expect(await noticesOfDemo()).toEqual(['The demo is being filled. This takes about a minute.', null]);
    expect(await siteNotice()).toEqual({});
  });

  it('is removed by the next start after a process was killed, with the demo and without', async () => {
    for (const DEMO of [true, false]) {
      await showFillingNotice();
      expect(await siteNotice()).toMatchObject({ de: expect.stringContaining('Demo') });
      Object.assign(config, { DEMO });
      await stoppedStart();

      expect(await siteNotice(), String(DEMO)).toEqual({});
    }
  });

  it('leaves a notice of operators', async () => {
    await setSiteNotice('test', OWN);

    await stoppedStart();

    expect(await siteNotice()).toEqual(OWN);
  });
});
