import { beforeAll, expect, it } from 'vitest';
import type { Viewer } from '../../../src/auth/viewer.ts';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';

const app = setUpApp();
let find: typeof import('../../../src/domain/addons/find-addon.ts');

beforeAll(async () => {
  find = await import('../../../src/domain/addons/find-addon.ts');
});

const contextOf = (viewer: Viewer) => ({ viewer, locale: 'en-US', ip: null, requestId: 'test' });

it('reads the authors only for accounts, by id, slug and guid', async () => {
  const accountId = (await app.developer()).accountId ?? 0;
  const { id, slug, guid } = await addon({ authors: [accountId] });
  const account: Viewer = {
    kind: 'account',
    accountId,
    username: '',
    rules: [],
    via: { scheme: 'bearer', tokenId: 0, signedInAt: new Date() },
  };
  for (const by of [{ id: globalId('Addon', id) }, { databaseId: id }, { slug }, { guid }]) {
    const [forAnonymous, forAccount] = await Promise.all([
      find.findAddonRights(contextOf({ kind: 'anonymous' }), by),
      find.findAddonRights(contextOf(account), by),
    ]);
    expect(forAccount).toMatchObject({ id, authors: [{ accountId, role: 'owner' }] });
    expect(forAnonymous).toEqual({ ...forAccount, authors: [] });
  }
});
