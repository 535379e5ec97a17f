import assert from 'node:assert/strict';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { formNamed, type Journey, send, shows } from './journey.ts';

/** What the operator switches while visitors write. */
export const maintenanceJourneys: readonly Journey[] = [
  {
    name: 'read-only mode keeps what was typed',
    isAlone: true,
    expects: /^POST \S+ returned 503$/,
    async run({ account, open, setting, suffix }) {
      const page = await open(await account());
      await page.goto('/account/');
      const biography = `Typed during maintenance ${suffix}, "<i>" & more`;
      const form = formNamed(page, 'profile');
      await form.locator('[name=biography]').fill(biography);
      await setting.service.run('read-only', 'on', '--reason', 'Maintenance until noon');
      try {
        assert.equal(await send(page, form), 503);
        assert.ok((await page.content()).includes('Typed during maintenance'));
        const anonymous = await open('anonymous');
        assert.equal((await anonymous.goto('/addon/tab-notes/'))?.status(), 200);
        await shows(anonymous, en['site.read-only-text']);
      } finally {
        await setting.service.run('read-only', 'off');
      }
      assert.equal(await send(page, page.locator('main form', { has: page.locator('[name=biography]') })), 200);
      await page.goto('/account/');
      assert.equal(await formNamed(page, 'profile').locator('[name=biography]').inputValue(), biography);
    },
  },
  {
    name: 'an add-on is reported',
    async run({ account, open, suffix }) {
      for (const visitor of ['anonymous', await account()] as const) {
        const page = await open(visitor);
        await page.goto('/addon/reading-time/');
        await page.locator('a[href$="/report/"]').first().click();
        const form = formNamed(page, 'report');
        const reason = form.locator('[name=reason]');
        if ((await reason.first().getAttribute('type')) === 'radio') await reason.first().check();
        else await reason.selectOption({ index: 1 });
        await form.locator('[name=message]').fill(`It counts wrongly <script>alert(1)</script> ${suffix}`);
        assert.equal(await send(page, form), 200);
        await shows(page, en['report.state.OPEN']);
        const address = page.url().replace(/[?&]done=report/, '');
        assert.equal((await page.goto(address))?.status(), 200);
        const stranger = await open('anonymous');
        assert.equal((await stranger.goto(new URL(address).pathname))?.status(), 404);
      }
    },
  },
  {
    name: 'a newcomer reads what one can do, creates an account in the demo, and begins',
    async run({ open, suffix }) {
      const page = await open('anonymous');
      await page.goto('/developers/');
      await shows(page, en['hub.landing.can']);
      await shows(page, en['hub.times.title']);
      await page.goto('/api/v4/accounts/login/start/?to=/developers/');
      const newcomer = page.locator('form', { has: page.locator('[name=newcomer]') });
      await newcomer.locator('[name=newcomer]').fill(`visitor-${suffix}`);
      assert.equal(await send(page, newcomer), 200);
      assert.equal(new URL(page.url()).pathname, '/developers/');
      await shows(page, en['hub.start.title']);
      await page.goto('/developers/submit/');
      assert.equal(await send(page, formNamed(page, 'hub-agreement')), 200);
      assert.equal(await formNamed(page, 'hub-upload').count(), 1);
    },
  },
];
