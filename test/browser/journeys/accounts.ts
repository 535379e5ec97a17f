import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { signAddonClient } from '../../clients/sign-addon-client.ts';
import { xpi } from '../../support/packages.ts';
import { ROLES } from '../roles.ts';
import { follow, formNamed, inFolder, type Journey, send, shows, type Traveller } from './journey.ts';

const SIGN_ADDON = createRequire(import.meta.url).resolve('sign-addon');

/** Signing in and out, API keys, and the end of an account. */
export const accountJourneys: readonly Journey[] = [
  {
    name: 'a key is made, used by sign-addon, revoked',
    async run(traveller) {
      const page = await traveller.open(await traveller.account());
      await page.goto('/account/keys/');
      const form = formNamed(page, 'new-key');
      const label = `Journey ${traveller.suffix}`;
      await form.locator('[name=label]').fill(label);
      await form.locator('[name=days]').selectOption('30');
      const agreement = form.locator('[name=acceptDeveloperAgreement]');
      if ((await agreement.count()) > 0) await agreement.check();
      assert.equal(await send(page, form), 200);
      const [key = '', secret = ''] = await page.locator('.facts code').allInnerTexts();
      assert.match(secret, /^\w{20,}/);
      assert.equal(await sign(traveller, key, secret, '1.0'), 0);

      await page.goto('/account/keys/');
      const row = page.locator('tr', { hasText: label });
      await shows(page, key);
      assert.equal((await page.content()).includes(secret), false);
      await follow(page, row.locator('a'));
      assert.equal(await send(page, formNamed(page, 'revoke-key')), 200);
      assert.equal(new URL(page.url()).pathname, '/account/keys/');
      assert.notEqual(await sign(traveller, key, secret, '1.1'), 0);
    },
  },
  {
    name: 'a form outlives its session',
    async run({ account, open, suffix }) {
      const visitor = await account();
      const page = await open(visitor);
      await page.goto('/account/');
      const biography = `Written in a session that ended, ${suffix}. "<b>" & 'quotes' שלום`;
      await formNamed(page, 'profile').locator('[name=biography]').fill(biography);
      const kept = await page.context().cookies();
      await page.context().clearCookies();
      assert.equal(await send(page, formNamed(page, 'profile')), 401);
      assert.ok((await page.locator('main pre').allTextContents()).includes(biography));

      // Signs in again in another tab.
      await page.context().addCookies(kept);
      const repeated = page.locator('form', { has: page.locator('[name=biography]') });
      // The page of the new session names the account before it sends the form.
      assert.equal(await send(page, repeated), 200);
      assert.ok((await page.locator('main').innerText()).includes(visitor.username));
      assert.equal(await send(page, repeated), 200);
      await page.goto('/account/');
      assert.equal(await formNamed(page, 'profile').locator('[name=biography]').inputValue(), biography);
    },
  },
  {
    name: 'sign in, return to the page, sign out everywhere',
    async run({ open, hasScripts }) {
      const role = hasScripts ? 'moderator' : 'user';
      const page = await open('anonymous');
      await page.goto('/account/sessions/');
      assert.equal(new URL(page.url()).pathname, '/login/');
      await follow(page, page.locator('main a.button'));
      await follow(page, page.locator(`[name=username][value=${ROLES[role]}]`));
      assert.equal(new URL(page.url()).pathname, '/account/sessions/');

      const other = await open(role);
      await other.goto('/account/');
      assert.equal(new URL(other.url()).pathname, '/account/');
      await page.reload();
      await send(page, formNamed(page, 'end-other-sessions'));
      await other.goto('/account/');
      assert.equal(new URL(other.url()).pathname, '/login/');
      await page.goto('/account/sessions/');
      assert.equal(new URL(page.url()).pathname, '/account/sessions/');
      await send(page, formNamed(page, 'logout').first());
      await page.goto('/account/');
      assert.equal(new URL(page.url()).pathname, '/login/');
    },
  },
  {
    name: 'an account is deleted',
    async run({ account, open }) {
      const visitor = await account();
      const page = await open(visitor);
      await page.goto('/account/delete/');
      const form = formNamed(page, 'delete-account');
      await form.locator('[name=username]').fill('somebody-else');
      assert.equal(await send(page, form), 422);
      await form.locator('[name=username]').fill(visitor.username);
      assert.equal(await send(page, form), 200);
      assert.equal(new URL(page.url()).pathname, '/');
      await page.goto('/account/');
      assert.equal(new URL(page.url()).pathname, '/login/');
    },
  },
];

/** Signs a new version with the program that developers use. Returns its exit status. */
function sign({ setting, suffix }: Traveller, key: string, secret: string, version: string): Promise<number> {
  return inFolder(async (folder) => {
    const id = `journey-key-${suffix}@example.org`;
    const file = join(folder, 'addon.xpi');
    const saveTo = join(folder, 'signed');
    await mkdir(saveTo);
    await writeFile(file, await xpi({ guid: id, version }));
    const client = signAddonClient('sign-addon', SIGN_ADDON);
    const prefix = `${setting.service.url}/api/v4`;
    const { exitCode, output } = await client.sign({
      prefix,
      key,
      secret,
      file,
      id,
      version,
      saveTo,
      channel: 'unlisted',
    });
    if (exitCode === 0) assert.equal((await readdir(saveTo)).length, 1, output);
    return exitCode;
  });
}
