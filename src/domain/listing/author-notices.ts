/* The mails about the authors of an add-on, to the people whom a change concerns. */
import type { Transaction } from '../../infra/db.ts';
import { accountName } from '../accounts/account-names.ts';
import { hubPath } from '../addons/addresses.ts';
import { addonNameIn } from '../addons/record-addon-act.ts';
import { type Notice, type NoticeName, queueNotice } from '../mail/notice.ts';

/** An add-on with its owners, as mails about its authors need it. */
interface AuthorNotices {
  /** Mails the owners, without the accounts in `except`. `people` are the values of placeholders by account id. */
  toOwners(name: NoticeName, people: Readonly<Record<string, number>>, except?: readonly number[]): Promise<void>;
  /** Mails one account. `path` is the page that the mail names. */
  toAccount(
    accountId: number,
    name: NoticeName,
    more?: { people?: Readonly<Record<string, number>>; expires?: Date; path?: string },
  ): Promise<void>;
}

/** Reads what the mails about the authors of an add-on contain. Mails go out with the transaction. */
export async function authorNotices(tx: Transaction, addonId: number): Promise<AuthorNotices> {
  const addon = await tx.addon.findUniqueOrThrow({
    where: { id: addonId },
    select: { id: true, guid: true, slug: true, name: true, defaultLocale: true },
  });
  const named = async (people: Readonly<Record<string, number>>) => {
    const accounts = await tx.account.findMany({ where: { id: { in: Object.values(people) } } });
    const names = new Map(accounts.map((account) => [account.id, accountName(account)]));
    return Object.fromEntries(Object.entries(people).map(([key, id]) => [key, names.get(id) ?? `#${id}`]));
  };
  const owners = async () => {
    const rows = await tx.addonAuthor.findMany({ where: { addonId, role: 'owner' }, select: { accountId: true } });
    return rows.map(({ accountId }) => accountId);
  };
  return {
    async toOwners(name, people, except = []) {
      const values = await named(people);
      const recipients = (await owners()).filter((id) => !except.includes(id));
      await queueNotice(tx, recipients, {
        name,
        values: (locale: string) => ({ ...values, addon: addonNameIn(addon, locale) }),
        path: hubPath(addon, 'authors/'),
      } as Notice);
    },
    async toAccount(accountId, name, { people = {}, expires, path } = {}) {
      const values = await named(people);
      await queueNotice(tx, [accountId], {
        name,
        values: (locale: string) => ({
          ...values,
          addon: addonNameIn(addon, locale),
          ...(expires && { date: expires }),
        }),
        ...(path === undefined ? {} : { path }),
      } as Notice);
    },
  };
}
