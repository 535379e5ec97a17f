import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { hasPooler } from '../support/has-pooler.ts';

const app = setUpApp();

const PREPARED = `SELECT name, generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements
  WHERE name LIKE 'addon-%-slug'`;

describe('lookupPool', () => {
  // Behind a pooler, statements have no names and are planned each time (docs/decisions.md D132).
  it.skipIf(hasPooler)('uses a generic plan for every execution of a prepared statement', async () => {
    const { lookupPool } = await import('../../src/infra/db.ts');
    await addon({ slug: 'planned' });
    for (const _ of [1, 2, 3]) expect((await app.anonymous.get('/api/v4/addons/addon/planned/')).status).toBe(200);
    const { rows } = await lookupPool.query(PREPARED);
    expect(rows).toEqual([{ name: 'addon-rights-by-slug', generic: 3, custom: 0 }]);
  });

  it('refuses writes', async () => {
    const { lookupPool } = await import('../../src/infra/db.ts');
    await expect(lookupPool.query("UPDATE addon SET slug = 'written'")).rejects.toThrow('read-only transaction');
  });
});
