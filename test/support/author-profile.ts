import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { addon } from './factories.ts';
import { jpeg } from './pictures.ts';

const PROFILE = {
  username: 'Example.Developer',
  displayName: 'Example Developer',
  biography: 'Writes <b>add-ons</b>.',
  homepage: 'https://developer.example/',
  location: 'Lisbon',
  occupation: 'Programmer',
  created: new Date('2018-10-25T09:30:00Z'),
  lastLogin: null,
  lastLoginIp: null,
};

/** The client of an account with a value in every public field: the listed author of three public add-ons. */
export async function authorWithProfile(app: TestApp): Promise<Client> {
  const { db } = await import('../../src/infra/db.ts');
  const { storeAccountPicture } = await import('./picture-columns.ts');
  const author = await app.developer();
  const picture = await storeAccountPicture(await jpeg(300, 300));
  await db.account.update({ where: { id: author.accountId ?? 0 }, data: { ...PROFILE, ...picture } });
  const authors = [author.accountId ?? 0];
  await addon({ authors, ratingCount: 2, ratingAverage: 4 });
  await addon({ authors, ratingCount: 1, ratingAverage: 3, type: 'persona' });
  await addon({ authors });
  await addon({ authors, status: 'nominated', ratingCount: 1, ratingAverage: 1 });
  return author;
}
