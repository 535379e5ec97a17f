import { describe, expect, it } from 'vitest';
import { addressHere } from '../../src/pages/site/former-addresses.ts';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { Visitor } from '../support/pages.ts';

const app = setUpApp();

describe('an address of a former site', () => {
  it.each([
    ['/en-US/desktop_browser/', '/'],
    ['/en-US/desktop_browser', '/'],
    ['/xx/some_app/addon/clock/', '/addon/clock/'],
    ['/de/mobile_browser/addon/clock/?src=search&x=%C3%BC', '/addon/clock/?src=search&x=%C3%BC'],
    ['/de/mobile_browser/addon/zwei-%C3%BC/versions/1.0/', '/addon/zwei-%C3%BC/versions/1.0/'],
    ['/de/mobile_browser/addon/clock/reviews/17/', '/addon/clock/reviews/'],
    ['/de/mobile_browser/addon/clock/statistics/usage/', '/addon/clock/statistics/'],
    ['/de/mobile_browser/addon/clock/abuse', '/addon/clock/report/'],
    ['/de/mobile_browser/addon/clock/contribute/', '/addon/clock/'],
    ['/pt-BR/desktop_browser/user/anna/', '/user/anna/'],
    ['/pt-BR/desktop_browser/collections/anna/my-list/?page=2', '/collections/anna/my-list/?page=2'],
    ['/pt-BR/desktop_browser/search/?q=a+b', '/search/?q=a+b'],
    ['/pt-BR/desktop_browser/extensions/', '/search/?type=extension'],
    ['/pt-BR/desktop_browser/extensions/alerts-updates/', '/category/extension/alerts-updates/'],
    ['/pt-BR/desktop_browser/themes/?sort=users', '/search/?type=statictheme&sort=users'],
    ['/pt-BR/desktop_browser/language-tools/', '/language-tools/'],
    ['/en-US/developers/addon/clock/edit', '/developers/addon/clock/'],
    ['/en-US/users/edit', '/account/'],
    ['/en-US/desktop_browser/users/unsubscribe/token/hash/reply/', '/account/unsubscribe/token-reply-hash/'],
    ['/en-US/desktop_browser/blocked-addon/a@example/1.0/', '/replacements/?guid=a@example'],
    ['/blocked-addon/a@example/', '/replacements/?guid=a@example'],
    ['/feedback/addon/a@example/', '/report/?guid=a@example'],
    ['/en-US/desktop_browser/feedback/addon/a@example/?x=1', '/report/?guid=a@example&x=1'],
  ])('%s leads to %s', (former, here) => {
    expect(addressHere(former)).toBe(here);
  });

  it.each(['/', '/nothing/', '/en-US/', '/en/App!/addon/x/', '/en-US/desktop_browser/nothing/', '/a/b/c/', '/%/%/'])(
    '%s has no page here',
    (path) => {
      expect(addressHere(path)).toBeNull();
    },
  );

  it('is redirected once, and a page of this service never', async () => {
    await addon({ slug: 'clock' });
    const visitor = new Visitor(app);
    const reply = await visitor.get('/fr/desktop_browser/addon/clock/?src=mail');
    expect([reply.status, reply.headers.location]).toEqual([301, '/addon/clock/?src=mail']);
    expect((await visitor.get('/addon/clock/?src=mail')).status).toBe(200);
    for (const path of ['/en-US/desktop_browser/unknown/', '/user/addon/clock/zz/']) {
      expect((await visitor.get(path)).status).toBe(404);
    }
    for (const path of ['/blocked-addon/a@example/', '/feedback/addon/a@example/', '/users/unsubscribe/x/y/z/']) {
      expect((await visitor.get(path)).status).toBe(301);
    }
  });
});
