import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { makeToken } from '../support/make-token.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { config } = await import('../../src/config.ts');
const { consumeUploadLimit, countFailedSignIn, countSubmissionWrite, RATE_LIMITS } = await import(
  '../../src/infra/rate-limits.ts'
);
const { networkOf } = await import('../../src/infra/network.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { createAccount, createApiKeyFor } = await import('../../src/domain/accounts/administration.ts');

const START = new Date('2018-10-25T09:30:00Z').getTime();
const throttledFor = (seconds: number) => ({
  code: 'THROTTLED',
  message: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  details: { retryAfter: seconds },
});

beforeEach(() => {
  config.RATE_LIMITS = true;
  vi.useFakeTimers({ toFake: ['Date'], now: START });
});

afterEach(() => vi.useRealTimers());

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

const elapse = (seconds: number) => vi.setSystemTime(START + seconds * 1000);
async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i++) await work();
}

describe('uploads', () => {
  it('are limited to six a minute', async () => {
    await times(6, () => consumeUploadLimit(1));
    elapse(20);
    await expect(consumeUploadLimit(1)).rejects.toMatchObject(throttledFor(40));
    await consumeUploadLimit(2);
    elapse(61);
    await consumeUploadLimit(1);
  });

  it('are limited to fifty an hour', async () => {
    for (let minute = 0; minute < 9; minute++) {
      elapse(minute * 61);
      await times(minute === 8 ? 2 : 6, () => consumeUploadLimit(3));
    }
    await expect(consumeUploadLimit(3)).rejects.toMatchObject(throttledFor(3600 - 8 * 61));
    elapse(3601);
    await consumeUploadLimit(3);
  });

  it('are counted in the database for all processes', async () => {
    await times(2, () => consumeUploadLimit(5));
    expect(await db.rateLimit.findMany({ where: { key: { endsWith: ':5' } }, orderBy: { key: 'asc' } })).toEqual([
      { key: 'upload-hour:5', points: 2, expire: BigInt(START + 3_600_000) },
      { key: 'upload-minute:5', points: 2, expire: BigInt(START + 60_000) },
    ]);
  });

  it('are not limited without RATE_LIMITS', async () => {
    config.RATE_LIMITS = false;
    await times(60, () => consumeUploadLimit(6));
    expect(await db.rateLimit.count({ where: { key: { endsWith: ':6' } } })).toBe(0);
  });
});

describe('writes of the submission API', () => {
  const rows = (key: number) =>
    db.rateLimit.findMany({
      where: { key: { endsWith: `:${key}` } },
      orderBy: { key: 'asc' },
      select: { points: true },
    });

  it('are limited to thirty a minute and three hundred an hour', async () => {
    for (let minute = 0; minute < 10; minute++) {
      elapse(minute * 61);
      await times(30, async () => void (await countSubmissionWrite(21)));
      await expect(countSubmissionWrite(21)).rejects.toMatchObject({ code: 'THROTTLED' });
    }
    elapse(10 * 61);
    await expect(countSubmissionWrite(21)).rejects.toMatchObject(throttledFor(3600 - 10 * 61));
    elapse(3601);
    await countSubmissionWrite(21);
  });

  it('are not counted when they are taken back, nor when they are above the limit', async () => {
    await times(40, async () => (await countSubmissionWrite(22))());
    expect(await rows(22)).toEqual([{ points: 0 }, { points: 0 }]);
    await times(30, async () => void (await countSubmissionWrite(22)));
    await times(5, async () => void (await countSubmissionWrite(22).catch(() => {})));
    expect(await rows(22)).toEqual([{ points: 30 }, { points: 30 }]);
  });
});

describe('failed sign-ins', () => {
  const limit = RATE_LIMITS['failed-sign-in-address'].points;

  it('are throttled per address far above normal use, without another statement', async () => {
    const ip = '192.0.2.1';
    await times(limit, () => countFailedSignIn(ip, null));
    await expect(countFailedSignIn(ip, null)).rejects.toMatchObject(throttledFor(60));
    const { points } = await db.rateLimit.findUniqueOrThrow({ where: { key: `failed-sign-in-address:${ip}` } });
    expect(points).toBe(limit);
    elapse(10);
    await expect(countFailedSignIn(ip, null)).rejects.toMatchObject({ code: 'THROTTLED' });
    await countFailedSignIn('192.0.2.2', null);
  });

  it('are throttled once another process has counted them', async () => {
    const ip = '192.0.2.3';
    const row = { key: `failed-sign-in-address:${ip}`, points: limit, expire: BigInt(START + 30_000) };
    await db.rateLimit.create({ data: row });
    await expect(countFailedSignIn(ip, null)).rejects.toMatchObject(throttledFor(30));
  });

  it('get 429 instead of 401, while the right secret works', async () => {
    vi.useRealTimers();
    await createAccount({ username: 'dev', email: 'dev@example.org' });
    const pair = await createApiKeyFor({ username: 'dev' });
    const now = Math.floor(Date.now() / 1000);
    const row = {
      key: `failed-sign-in-key:${pair.key}`,
      points: RATE_LIMITS['failed-sign-in-key'].points - 1,
      expire: BigInt(Date.now() + 30_000),
    };
    await db.rateLimit.create({ data: row });
    const signIn = (secret: string) =>
      authenticate({ authorization: `JWT ${makeToken({ ...pair, secret, now })}`, ip: '192.0.2.4', jti: 'required' });
    await expect(signIn('wrong')).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' });
    await expect(signIn('wrong')).rejects.toMatchObject({ code: 'THROTTLED' });
    expect(await signIn(pair.secret)).toMatchObject({ kind: 'account' });
  });
});

describe('the client address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('of %s counts for %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

it('every limit has the texts that the documentation prints', () => {
  for (const { what, per, points, seconds } of Object.values(RATE_LIMITS)) {
    expect([what, per].every((text) => text.length > 0)).toBe(true);
    expect(Math.min(points, seconds)).toBeGreaterThan(0);
  }
});
