import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { importLines } from '../../support/catalogue/lines.ts';

setUpApp();
let sessions: typeof import('../../../src/domain/sessions/open-session.ts');
let pages: typeof import('../../../src/auth/page-session.ts');
let db: typeof import('../../../src/infra/db.ts').db;

beforeAll(async () => {
  sessions = await import('../../../src/domain/sessions/open-session.ts');
  pages = await import('../../../src/auth/page-session.ts');
  ({ db } = await import('../../../src/infra/db.ts'));
});

describe('an import that names the groups of an account', () => {
  it('ends its page sessions when the groups change, and no others', async () => {
    const account = { kind: 'account', username: 'member', email: 'member@example.org' };
    await importLines([account, { ...account, username: 'other', email: 'other@example.org' }]);
    const [member, other] = await Promise.all(['member', 'other'].map(openSession));
    const areOpen = () => Promise.all([member, other].map(isOpen));

    for (const groups of [['Gardeners'], ['gardeners'], undefined]) {
      await importLines([{ ...account, groups: ['Gardeners'] }], { createGroups: true });
      const again = await openSession('member');
      await importLines([{ ...account, groups }]);
      expect(await isOpen(again)).toBe(true);
    }
    expect(await areOpen()).toEqual([false, true]);
    const last = await openSession('member');
    await importLines([{ ...account, groups: [] }]);
    expect([await isOpen(last), await isOpen(other)]).toEqual([false, true]);
  });
});

async function openSession(username: string): Promise<string> {
  const { id } = await db.account.findUniqueOrThrow({ where: { username } });
  const { pageSession } = await db.$transaction((tx) => sessions.openSession(tx, id, { label: 'Test' }));
  return pageSession;
}

const isOpen = async (session = ''): Promise<boolean> => (await pages.viewerOfPage(session)).kind === 'account';
