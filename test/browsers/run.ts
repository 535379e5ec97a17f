/*
 * A real browser, the ESR build of the distribution, with the policies that `addons policies` prints: installs add-ons of
 * every type from a new installation, and finds their updates by its own background check. Prints one line per check and
 * exits with 1 if one fails, or with 69 if the browser is not installed.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoliciesFile } from '../../src/commands/policies.ts';
import { openSite, type Site } from '../clients/site.ts';
import { until } from '../crash/support/waiting.ts';
import {
  checkForUpdates,
  findAddon,
  followInstallLink,
  installAddon,
  listRecommended,
  type Recommended,
} from './addon-manager.ts';
import { type Browser, findFirefox, startFirefox } from './firefox.ts';
import { disabled, type Product, products, UNLISTED_GUID, unlisted } from './products.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { startTlsFront, type TlsFront } from './tls-front.ts';

const UNAVAILABLE = 69;
const INSTALLED_MS = 20_000;
/** State of a signature that is valid but for its unknown issuer. */
const INTACT = -1;

const program = await findFirefox();
if (program === null) {
  console.log('skipped: no firefox');
  process.exit(UNAVAILABLE);
}
const folder = await mkdtemp(join(tmpdir(), 'addons-browsers-'));
let hasFailed = false;
try {
  const front = await startTlsFront(folder);
  const site = await openSite({ BASE_URL: front.url });
  try {
    front.forwardTo(site.url);
    await runAll({ site, front, program });
    if (!site.isRunning()) throw new Error('a process of the service ended unexpectedly');
  } catch (error) {
    hasFailed = true;
    console.log(`FAIL  ${error instanceof Error ? error.stack : error}`);
    console.log(`Kept: ${site.dataDir}, with logs next to it; ${folder}`);
  } finally {
    front.close();
    await site.close({ keepFolder: hasFailed });
  }
} finally {
  if (!hasFailed) await rm(folder, { recursive: true, force: true });
}
process.exit(hasFailed ? 1 : 0);

interface World {
  site: Site;
  front: TlsFront;
  /** Path of the browser's executable. */
  program: string;
}

async function runAll(world: World): Promise<void> {
  const { site, front } = world;
  const policies = await site.run('policies', '--allow-unsigned', '--tls-root', front.rootFile);
  const [publisher, browser] = await Promise.all([prepare(site), startFirefox(world.program, folder, policies)]);
  try {
    await step('has the printed policies, without errors', () => hasPolicies(browser, policies));
    await step('recommends the featured add-ons', () => recommends(world, browser));
    await step('installs version 1.0 of each type', () => installAll(world, browser));
    await Promise.all([...products, disabled].map((each) => publisher.publish(each, '1.1', 'listed')));
    await publisher.disable(disabled.guid);
    await step('updates them by its background check', () => updatesAll(browser, products));
    await step('gets no update of a disabled add-on', () => areInstalled(browser, [disabled], '1.0'));
    await updateUnlisted(world, publisher, browser);
  } finally {
    await browser.close();
  }
}

async function updateUnlisted(world: World, publisher: Publisher, browser: Browser): Promise<void> {
  const address = await publisher.createUpdateAddress(UNLISTED_GUID);
  const product = unlisted(address);
  await publisher.publish(product, '1.0', 'unlisted');
  await step('installs version 1.0 of an unlisted add-on, from its own address', async () => {
    await installAddon(browser, await newestLink(world, address));
    await areInstalled(browser, [product], '1.0');
  });
  await publisher.publish(product, '1.1', 'unlisted');
  await step('updates it from there', () => updatesAll(browser, [product]));
}

/** The link to the newest version in an update manifest. */
async function newestLink({ site, front }: World, address: string): Promise<string> {
  const manifest = (await (await fetch(address.replace(front.url, site.url))).json()) as {
    addons: Record<string, { updates: { update_link: string }[] }>;
  };
  return manifest.addons[UNLISTED_GUID]?.updates[0]?.update_link ?? '';
}

/** Publishes version 1.0 of every add-on. */
async function prepare(site: Site): Promise<Publisher> {
  const publisher = await createPublisher(site);
  await Promise.all([...products, disabled].map((each) => publisher.publish(each, '1.0', 'listed')));
  return publisher;
}

async function step(name: string, run: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await run();
  console.log(`ok    ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

async function hasPolicies(browser: Browser, text: string): Promise<void> {
  const { policies } = JSON.parse(text) as PoliciesFile;
  const found = await browser.run<{ isActive: boolean; locked: Record<string, unknown> }>(
    `const locked = {};
    for (const name of values[0]) {
      if (!Services.prefs.prefIsLocked(name)) continue;
      const isText = Services.prefs.getPrefType(name) === Ci.nsIPrefBranch.PREF_STRING;
      locked[name] = isText ? Services.prefs.getStringPref(name) : Services.prefs.getBoolPref(name);
    }
    return { isActive: Services.policies.status === Ci.nsIEnterprisePolicies.ACTIVE, locked };`,
    Object.keys(policies.Preferences),
  );
  const expected = Object.entries(policies.Preferences).map(([name, { Value }]) => [name, Value]);
  assert.deepEqual(found, { isActive: true, locked: Object.fromEntries(expected) });
}

/** Its add-ons manager shows those of this service, in their order and with their texts. */
async function recommends({ site }: World, browser: Browser): Promise<void> {
  const guids = [...products, disabled].map(({ guid }) => guid);
  for (const guid of guids) await site.run('featured', 'add', guid, '--app', 'desktop_browser');
  const response = await fetch(`${site.url}/api/v4/discovery/?lang=en-US`);
  const { results } = (await response.json()) as {
    results: { addon: Omit<Recommended, 'text'>; description_text: string | null }[];
  };
  const expected = results.map(({ addon: { guid, name }, description_text: text }) => ({
    guid,
    name,
    text: text ?? '',
  }));
  assert.deepEqual(expected.map(({ guid }) => guid).sort(), guids.sort());
  assert.deepEqual(await listRecommended(browser), expected);
}

async function installAll({ site, front }: World, browser: Browser): Promise<void> {
  const [linked, ...others] = [...products, disabled];
  if (linked) await followInstallLink(browser, `${front.url}/addon/${encodeURIComponent(linked.guid)}/`);
  for (const { guid } of others) await installAddon(browser, await fileUrl(site, guid));
  await areInstalled(browser, [...products, disabled], '1.0');
}

/** Address of the current file, as the catalogue shows it to anonymous clients. */
async function fileUrl(site: Site, guid: string): Promise<string> {
  const response = await fetch(`${site.url}/api/v4/addons/addon/${encodeURIComponent(guid)}/`);
  const addon = (await response.json()) as { current_version: { files: { url: string }[] } };
  return addon.current_version.files[0]?.url ?? '';
}

/** Waits until the version of every add-on is installed. Its signature must be intact. */
async function areInstalled(browser: Browser, expected: Product[], version: string): Promise<void> {
  for (const { guid } of expected) {
    const addon = await until(`version ${version} of ${guid} in the browser`, INSTALLED_MS, async () => {
      const found = await findAddon(browser, guid);
      return found?.version === version ? found : null;
    });
    assert.deepEqual({ guid, ...addon }, { guid, ...addon, isActive: addon.type !== 'theme', signedState: INTACT });
  }
}

/** Repeats the check: it starts installations without waiting for them, and a change takes seconds to be visible. */
async function updatesAll(browser: Browser, expected: Product[]): Promise<void> {
  await until(
    'version 1.1 in the browser',
    INSTALLED_MS,
    async () => {
      await checkForUpdates(browser);
      const found = await Promise.all(expected.map(({ guid }) => findAddon(browser, guid)));
      return found.every((addon) => addon?.version === '1.1') ? true : null;
    },
    1000,
  );
  await areInstalled(browser, expected, '1.1');
}
