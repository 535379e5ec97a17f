import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createContext, type ScenarioContext } from '../clients/scenario-context.ts';
import { scenarios } from '../clients/scenarios.ts';
import { signAddonClient } from '../clients/sign-addon-client.ts';
import { openSite, type Site } from '../clients/site.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let site: Site;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'addons-clients-'));
  database = await createTestDatabase();
  site = await openSite({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await site?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const client = signAddonClient('sign-addon 6.4.0', createRequire(import.meta.url).resolve('sign-addon'));

describe.each(['v3', 'v4'] as const)('sign-addon 6.4.0, unmodified, on %s', (api) => {
  let context: ScenarioContext;

  beforeAll(async () => {
    context = await createContext(site, client, api, folder);
  });

  it.each(scenarios)('$name', async ({ run }) => {
    await run(context);
  });
});
