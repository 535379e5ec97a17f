/* Every table of the database is in docs/retention.md, and every setting named there exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { retentionSettings } from '../../src/settings/retention.ts';
import { settings } from '../../src/settings/settings.ts';
import { setUpApp } from '../support/app.ts';
import { ROOT } from '../support/sources.ts';

const app = setUpApp();
const text = readFileSync(join(ROOT, 'docs/retention.md'), 'utf8');

it('docs/retention.md lists each table of the database once', async () => {
  const inTables = [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
  const [, bounded = ''] = text.split('## Bounded');
  const inText = [...bounded.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  const rows = await app.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  expect([...inTables, ...inText].sort()).toEqual(rows.map(({ name }) => name).sort());
});

it('docs/retention.md names each setting of retention, and no other', () => {
  const named = new Set([...text.matchAll(/`([A-Z][A-Z_]+_DAYS)`/g)].map(([, name = '']) => name));
  expect([...named].filter((name) => !(name in settings))).toEqual([]);
  expect(Object.keys(retentionSettings).filter((name) => !named.has(name))).toEqual([]);
});
