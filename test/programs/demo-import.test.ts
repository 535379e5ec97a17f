import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../support/app.ts';

/** The jobs of the demo that stay: a validation that is due in ten years, and one that has failed. */
const LASTING = ['validate-version', 'sign-imported'];

const app = setUpApp();

beforeAll(async () => {
  const { updateDemoState } = await import('../../src/demo/state.ts');
  const { ensureAccounts } = await import('../../src/demo/accounts.ts');
  await updateDemoState({ phase: 'filling' });
  await ensureAccounts();
});

interface Addon {
  guid: string;
  name: string;
  type: string;
  theme_data?: { headerURL: string };
  previews: { image_url: string; thumbnail_url: string }[];
}

async function list(path: string): Promise<{ count: number; results: Addon[] }> {
  const { status, json } = await app.anonymous.get(path);
  expect(status, path).toBe(200);
  return json as { count: number; results: Addon[] };
}

const { DEMO_CATALOGUE, OWN_PICTURES } = await import('../../src/demo/demo-catalogue.ts');
const { withCatalogueFile } = await import('../../src/domain/transfer/catalogue-archive.ts');

async function importWorld(stopping = new AbortController().signal): Promise<void> {
  const { importWorld: run } = await import('../../src/demo/fill-demo.ts');
  await withCatalogueFile(DEMO_CATALOGUE, (file) => run(file, stopping));
}

describe('the demo catalogue', () => {
  it('is not imported when the service is stopping', async () => {
    await expect(importWorld(AbortSignal.abort())).rejects.toThrow('aborted');

    expect(await app.sql('select from addon')).toEqual([]);
  });

  it('is rolled back when the service stops during the import', async () => {
    const stopping = new AbortController();
    const isReading = `select from pg_stat_activity where datname = current_database() and application_name = 'addons-import'`;
    const imported = importWorld(stopping.signal);
    await vi.waitFor(async () => expect(await app.sql(isReading)).toHaveLength(1), { timeout: 60_000, interval: 5 });
    stopping.abort();

    await expect(imported).rejects.toThrow('aborted');
    expect(await app.sql('select from addon')).toEqual([]);
  });

  it('is imported completely, and the state records it', async () => {
    await importWorld();

    const { readDemoState } = await import('../../src/demo/state.ts');
    expect(await readDemoState()).toMatchObject({ phase: 'filling', hasWorld: true });
    const lines = await withCatalogueFile(DEMO_CATALOGUE, (file) => readFile(file, 'utf8'));
    expect(await app.sql('select from addon')).toHaveLength(lines.match(/^\{"kind":"addon"/gm)?.length ?? 0);
    expect(await app.sql('select from addon where last_updated > now()')).toEqual([]);
    expect(await app.sql("select from daily_statistics where day > now() - interval '2 days' limit 1")).toHaveLength(1);
    const { count } = await list('/api/v4/addons/search/');
    expect(count).toBeGreaterThanOrEqual(300);
    expect(await app.sql("select from addon where status = 'public' and icon_sha256 is null")).toEqual([]);
  });

  it.each(['extension', 'theme', 'dictionary', 'search', 'language', 'persona', 'statictheme'])(
    'shows at least ten of the type %s',
    async (type) => {
      const { count, results } = await list(`/api/v4/addons/search/?type=${type}&page_size=50&lang=en-US`);

      expect(count).toBeGreaterThanOrEqual(10);
      expect(results.every((addon) => addon.type === type && addon.name !== '')).toBe(true);
    },
  );

  it.each([
    ['en-US', 'tab finder', 'Tab Finder'],
    ['de', 'Lesezeichen', 'Lesezeichen-Kurier'],
    ['fr', 'onglets', 'Chercheur d’onglets'],
    ['es', 'recetas', 'Buscador de recetas'],
    ['nl', 'koppelingen', 'Teller voor koppelingen'],
    ['ja', 'タブ', 'タブファインダー'],
  ])('is found in %s', async (lang, q, name) => {
    const { results } = await list(`/api/v4/addons/search/?q=${encodeURIComponent(q)}&lang=${lang}`);

    expect(results.map((addon) => addon.name)).toContain(name);
  });

  it('has featured add-ons for all languages, one language, a category and another application', async () => {
    const featured = async (query: string): Promise<Addon[]> =>
      (await list(`/api/v4/addons/featured/?${query}`)).results;

    expect(await featured('app=desktop_browser')).toHaveLength(25);
    expect(await featured('app=desktop_browser&lang=ja&page_size=50')).not.toEqual(
      await featured('app=desktop_browser&page_size=50'),
    );
    expect(await featured('app=desktop_browser&type=extension&category=privacy')).toHaveLength(3);
    expect(await featured('app=mobile_browser')).toHaveLength(6);
  });

  it('has language tools for the desktop browser, and packs for one of its versions', async () => {
    const tools = await list('/api/v4/addons/language-tools/?app=desktop_browser');
    expect(tools.results.filter(({ type }) => type === 'language').length).toBeGreaterThanOrEqual(10);
    expect(tools.results.filter(({ type }) => type === 'dictionary').length).toBeGreaterThanOrEqual(10);

    const fitting = await list('/api/v4/addons/language-tools/?app=desktop_browser&type=language&appversion=63.0');
    expect(fitting.results.length).toBeGreaterThanOrEqual(10);
  });

  it('has personas with a header that a client can fetch', async () => {
    const { results } = await list('/api/v4/addons/search/?type=persona');
    const header = await app.anonymous.get(results[0]?.theme_data?.headerURL ?? '');

    expect([header.status, header.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('has a picture for every preview', async () => {
    const addresses: string[] = [];
    for (let page = 1; page <= 8; page += 1) {
      const { results } = await list(`/api/v4/addons/search/?type=extension,statictheme&page_size=50&page=${page}`);
      addresses.push(
        ...results.flatMap(({ previews }) => previews.flatMap((each) => [each.image_url, each.thumbnail_url])),
      );
      if (results.length < 50) break;
    }

    expect(addresses.length).toBeGreaterThan(600);
    expect(addresses.filter((address) => !address.includes('/media/previews/'))).toEqual([]);
    const { status, headers } = await app.anonymous.get(addresses.at(-1) ?? '');
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('has replacements and compatibility overrides', async () => {
    const { results } = await list('/api/v4/addons/replacement-addon/');
    expect(results.map(({ guid }) => guid)).toContain('old-sorter@legacy.example');
    expect(await list('/api/v4/addons/compat-override/?guid=old-reader@legacy.example')).toMatchObject({
      results: [{ version_ranges: [{ addon_min_version: '1.0' }, { addon_min_version: '2.0' }] }],
    });
    expect(
      await list('/api/v3/addons/recommendations/?guid=tabs-finder@world.example&recommended=false'),
    ).toMatchObject({ outcome: 'curated', count: 4 });
  });

  it('hides add-ons that are not public', async () => {
    for (const slug of ['nominated-sorter', 'disabled-guard', 'withdrawn-cleaner', 'unlisted-courier']) {
      expect((await app.anonymous.get(`/api/v4/addons/addon/${slug}/`)).status, slug).toBe(401);
    }
  });

  it('does not change when it is imported again, as after a kill before the state was recorded', async () => {
    const state = 'select addon_id, row_version from addon_document order by addon_id';
    const before = await app.sql(state);

    await importWorld();

    expect(await app.sql(state)).toEqual(before);
  });

  it('has downloads and update checks by version, which add up to the daily numbers', async () => {
    const { addUsage } = await import('../../src/demo/usage.ts');
    await addUsage();
    const [checks] = await app.sql<{ days: number; versions: number; off: number }>(`
      select count(distinct s.day)::int as days, max(c.versions)::int as versions,
        max(abs(1 - c.sum::float / s.users)) as off
      from daily_statistics s join (
        select addon_id, day, count(*) as versions, sum(count) as sum from update_check group by 1, 2
      ) c using (addon_id, day) join addon a on a.id = s.addon_id where a.slug = 'hebrew-calendar'`);
    expect(checks).toEqual({ days: 30, versions: 4, off: expect.closeTo(0, 2) });
    const [downloads] = await app.sql<{ days: number }>(`
      select count(distinct day)::int as days from download_count d join file f on f.id = d.file_id
      join version v on v.id = f.version_id join addon a on a.id = v.addon_id where a.slug = 'hebrew-calendar'`);
    expect(downloads?.days).toBeGreaterThan(60);
  });

  it('shows who disabled an add-on and why, a validation, reports, portraits and canned responses, once', async () => {
    const { signIn } = await import('../../src/demo/accounts.ts');
    const { completeStates: run } = await import('../../src/demo/states.ts');
    const { picturesIn } = await import('../../src/demo/own-pictures.ts');
    const completeStates = () =>
      withCatalogueFile(DEMO_CATALOGUE, (file) => run(signIn, picturesIn(join(dirname(file), OWN_PICTURES))));
    await completeStates();
    const state = async () => ({
      disabled: await app.sql(`select slug::text, action, comments from activity join addon a on a.id = addon_id
        where action like 'addon-disabled-by-%' order by activity.id`),
      validating: await app.sql(`select slug::text, pk ~ '^[0-9a-f]{32}$' as "hasPage" from upload u
        join version v on v.id = u.version_id join addon a on a.id = v.addon_id where v.stage = 'validating'`),
      retried: await app.sql(`select attempts, last_error like 'ENOSPC%' as "hasCause",
        run_at between now() + interval '5 hours' and now() + interval '7 hours' as "isDueToday" from graphile_worker.jobs
        where task_identifier = 'validate-version' and last_error is not null`),
      reports: (await app.sql('select from abuse_report')).length,
      portraits: (await app.sql("select from account where username like 'demo-%' and picture_sha256 is not null"))
        .length,
      canned: (await app.sql('select from canned_response')).length,
    });
    const before = await state();
    expect(before).toEqual({
      disabled: [
        { slug: 'disabled-guard', action: 'addon-disabled-by-operator', comments: expect.stringContaining('sent') },
        { slug: 'withdrawn-cleaner', action: 'addon-disabled-by-developer', comments: expect.any(String) },
      ],
      validating: [{ slug: 'validating-sorter', hasPage: true }],
      retried: [{ attempts: 10, hasCause: true, isDueToday: true }],
      reports: 3,
      portraits: 6,
      canned: 3,
    });

    await completeStates();

    expect(await state()).toEqual(before);
  });

  it('has packages that the worker signs, and their links install them', async () => {
    const { addonsToSign, queueImportedSigning } = await import('../../src/domain/signing/sign-imported.ts');
    const guids = (await app.sql<{ guid: string }>('select guid::text from addon')).map(({ guid }) => guid);
    expect(await app.sql('select from file where not is_stored')).toEqual([]);
    expect(await app.pendingJobs()).toEqual(LASTING);
    const updated = 'select id, last_updated, status, current_version_id from addon order by id';
    const before = await app.sql(updated);

    const waiting = await addonsToSign(guids);
    await queueImportedSigning(waiting.slice(0, 3));
    await queueImportedSigning(waiting.slice(0, 3));
    await app.runJobs();

    expect(await app.pendingJobs()).toEqual(LASTING);
    expect(await addonsToSign(guids)).toEqual(waiting.slice(3));
    expect(await app.sql(updated)).toEqual(before);
    const { results } = await list('/api/v4/addons/search/?type=extension&sort=users');
    const [file] = (
      results[0] as unknown as { current_version: { files: { url: string; hash: string; size: number }[] } }
    ).current_version.files;
    const { status, headers, bytes } = await app.anonymous.get(file?.url ?? '');
    expect([status, headers['content-disposition']]).toEqual([200, expect.stringMatching(/^inline; /)]);
    expect([bytes.length, `sha256:${createHash('sha256').update(bytes).digest('hex')}`]).toEqual([
      ...[file?.size, file?.hash],
    ]);
  });

  it('has a failed job with its cause, which succeeds when it is retried', async () => {
    const { addonsToSign } = await import('../../src/domain/signing/sign-imported.ts');
    const { retryJob } = await import('../../src/domain/operation/change-jobs.ts');
    const failed = `select id::text, attempts, max_attempts as "maxAttempts", last_error as cause from graphile_worker.jobs
      where attempts >= max_attempts`;
    const jobs = await app.sql<{ id: string }>(failed);
    expect(jobs).toEqual([
      {
        id: expect.any(String),
        attempts: 1,
        maxAttempts: 1,
        cause: expect.stringMatching(/former\.key cannot be read: ENOENT/),
      },
    ]);

    await retryJob('operator', BigInt(jobs[0]?.id ?? 0));
    await app.runJobs();

    expect(await app.pendingJobs()).toEqual(LASTING.slice(0, 1));
    expect(await addonsToSign(['hebrew-calendar@world.example'])).toEqual([]);
  });

  it('has the numbers that the nightly job computes', async () => {
    const state = 'select average_daily_users as users, weekly_downloads as downloads, hotness from addon order by id';
    const before = await app.sql<{ hotness: number }>(state);
    const { recomputeAllStatistics } = await import('../../src/domain/statistics/recompute-statistics.ts');

    await recomputeAllStatistics();

    const after = await app.sql(state);
    expect(after).toEqual(before.map((numbers) => ({ ...numbers, hotness: expect.closeTo(numbers.hotness, 12) })));
  });
});
