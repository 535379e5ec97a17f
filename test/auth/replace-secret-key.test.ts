import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { path } from '../support/signing-steps.ts';

const app = setUpApp({ settings: { SECRET_KEY: 'o'.repeat(40) } });

const OLD = 'o'.repeat(40);
const NEW = 'n'.repeat(40);

/** What a key made: an API key, codes in links, and a reply address that is still to be sent. */
interface Made {
  developer: Client;
  links: { outgoing: string; report: string; unsubscribe: string; address: string; hash: string };
}

const modules = async () => ({
  box: await import('../../src/auth/secret-box.ts'),
  shared: await import('../../src/auth/shared-keys.ts'),
  reseal: await import('../../src/auth/reseal.ts'),
  outgoing: await import('../../src/auth/outgoing-links.ts'),
  reports: await import('../../src/auth/report-key.ts'),
  unsubscribe: await import('../../src/domain/mail/unsubscribe.ts'),
  replies: await import('../../src/domain/mail/reply-address.ts'),
});

async function make(mailId: number): Promise<Made> {
  const { outgoing, reports, unsubscribe, replies } = await modules();
  const address = replies.replyAddress(mailId);
  return {
    developer: await app.developer(),
    links: {
      outgoing: new URL(outgoing.wrapLink(`https://example.org/${mailId}`)).pathname,
      report: reports.reportKey(mailId),
      unsubscribe: new URL(unsubscribe.unsubscribeUrl(1, 'new_features')).pathname.split('/').at(-2) ?? '',
      address,
      hash: replies.replyTokenHash(replies.tokenInAddress(address) ?? ''),
    },
  };
}

/** Which of its links are valid, and whether a mail that was queued with it is sent with the same reply address. */
async function validLinks({ links }: Made, mailId: number): Promise<boolean[]> {
  const { outgoing, reports, unsubscribe, replies } = await modules();
  return [
    outgoing.openLink(links.outgoing) !== null,
    reports.isReportKey(links.report, mailId),
    unsubscribe.openUnsubscribeToken(links.unsubscribe) !== null,
    replies.replyAddress(mailId, links.hash) === links.address,
  ];
}

const status = async ({ developer }: Made) => (await developer.get(path('unknown@example'))).status;

/** Sets the keys of this process as a start or SIGHUP does. */
async function use(secret: string, previous?: string): Promise<void> {
  app.config.SECRET_KEY = secret;
  app.config.SECRET_KEY_PREVIOUS = previous;
  const { shared } = await modules();
  await shared.requireSecretKey();
}

/** What `addons secrets reseal` does. */
async function reseal({ endsLinks = false } = {}) {
  const { shared, reseal } = await modules();
  const { db } = await import('../../src/infra/db.ts');
  await db.$transaction((tx) => shared.replaceSecretKey(tx, { secret: NEW, previous: OLD, endsLinks }));
  return reseal.resealAll(NEW, OLD);
}

/** How many API keys the secret key opens. */
async function sealedWith(secret: string): Promise<number> {
  const { box } = await modules();
  const rows = await app.sql<{ sealed: Buffer }>('SELECT sealed_secret AS sealed FROM api_key');
  return rows.filter(({ sealed }) => box.openWith(secret, sealed) !== null).length;
}

let before: Made;

beforeAll(async () => {
  await use(OLD);
  before = await make(1);
});

afterEach(() => use(NEW, OLD).catch(() => {}));

it('with both keys, everything that either made is valid, and the one that the database has a proof of makes new values', async () => {
  await use(NEW, OLD);
  const during = await make(2);
  expect(await sealedWith(OLD)).toBe(2);
  expect([await status(before), await status(during)]).toEqual([404, 404]);
  expect(await validLinks(before, 1)).toEqual([true, true, true, true]);

  // Another host that has not read the new key.
  await use(OLD);
  expect([await status(before), await status(during)]).toEqual([404, 404]);
  expect(await validLinks(during, 2)).toEqual([true, true, true, true]);
});

it('the new key alone is refused before the secrets are sealed with it', async () => {
  const { shared } = await modules();
  await expect(use(NEW)).rejects.toBeInstanceOf(shared.SharedKeyError);
});

it('after resealing, nothing needs the previous key, and a host with it alone is refused', async () => {
  await use(NEW, OLD);
  expect(await reseal()).toEqual({ resealed: 2, current: 0, unopenable: 0 });
  expect([await sealedWith(NEW), await sealedWith(OLD)]).toEqual([2, 0]);
  expect(await reseal()).toEqual({ resealed: 0, current: 2, unopenable: 0 });

  await use(NEW);
  const after = await make(3);
  expect([await status(before), await status(after)]).toEqual([404, 404]);
  expect(await validLinks(before, 1)).toEqual([true, true, true, true]);
  expect(await validLinks(after, 3)).toEqual([true, true, true, true]);
  expect(after.links.report).not.toBe(before.links.report);
  await expect(use(OLD)).rejects.toThrow('is not that of the installation');
});

it('a process that has the previous key alone issues no API key', async () => {
  app.config.SECRET_KEY = OLD;
  app.config.SECRET_KEY_PREVIOUS = undefined;
  const { issueApiKey } = await import('../../src/domain/accounts/issue-credentials.ts');
  const { db } = await import('../../src/infra/db.ts');
  const { UnavailableError } = await import('../../src/errors.ts');
  const accountId = before.developer.accountId ?? 0;
  await expect(db.$transaction((tx) => issueApiKey(tx, accountId))).rejects.toBeInstanceOf(UnavailableError);
});

it('links of earlier keys end when the operator says so', async () => {
  await use(NEW, OLD);
  await reseal({ endsLinks: true });
  await use(NEW);
  expect(await validLinks(before, 1)).toEqual([false, false, false, false]);
  expect(await status(before)).toBe(404);
});

it('resealing knows every column with sealed secrets', async () => {
  const { reseal } = await modules();
  const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const inSchema = [...schema.matchAll(/^ {2}\w*[sS]ealed\w* .*@map\("(\w+)"\)/gm)].map(([, column]) => column);
  expect(reseal.SEALED_COLUMNS.map(({ column }) => column)).toEqual(inSchema);
});
