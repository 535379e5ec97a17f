/* Older versions than others that wait or were decided about: what their pages say, and when their turn comes. */
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon, type VersionFacts } from '../support/factories.ts';
import { documentOf, visitorOf } from '../support/pages.ts';

const app = setUpApp();
const visit = async () => visitorOf(app, await app.memberWith('Addons:Review'));

/** A version that was made hours ago and waits since then. */
const waits = (version: string, hours: number): VersionFacts => ({
  ...{ version, stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] },
  created: new Date(Date.now() - hours * 36e5),
});

describe('the page of an older version', () => {
  it.each([
    ['rejected', { stage: 'rejected', files: [{ status: 5 }] }],
    ['approved', {}],
    ['withdrawn by its developers', { files: [{ status: 5, statusWhenEnabled: 4 }] }],
  ] as const)('says that the newer one is %s', async (state, newer: object) => {
    const slug = `newer-${state.replaceAll(' ', '-')}`;
    await addon({ slug, versions: [waits('1.0', 2), { version: '1.1', created: new Date(), ...newer }] });
    const $ = documentOf(await (await visit()).get(`/reviewers/review/${slug}/?version=1.0`));
    const said = $('.notice.info:contains("newer version")');
    expect(said.text().trim()).toBe(`There is a newer version in its channel: 1.1, ${state}`);
    expect(said.find('a').attr('href')).toBe(`/reviewers/review/${slug}/?version=1.1`);
  });
});

describe('the next version to review', () => {
  it('is the newest of an add-on, at the place of its oldest', async () => {
    await app.sql("UPDATE version SET stage = 'rejected' WHERE stage = 'awaiting_review'", []);
    const one = await addon({ slug: 'several', versions: [waits('1.0', 9), waits('1.1', 5)] });
    const other = await addon({ slug: 'single', versions: [waits('1.0', 7)] });
    const [old = 0, recent = 0, single = 0] = [...one.versions, ...other.versions].map(({ id }) => id);
    const visitor = await visit();
    const next = async (after?: number) =>
      (await visitor.get(`/reviewers/next/${after === undefined ? '' : `?after=${after}`}`)).headers.location;
    const pageOf = (slug: string, version: string) => `/reviewers/review/${slug}/?version=${version}`;
    expect(await next()).toBe(pageOf('several', '1.1'));
    expect(await next(old)).toBe(pageOf('several', '1.1'));
    expect(await next(recent)).toBe(pageOf('single', '1.0'));
    expect(await next(single)).toBe(pageOf('several', '1.1'));
    await app.sql("UPDATE version SET stage = 'rejected', reviewed = now() WHERE id = $1", [single]);
    // Nothing but the older one is left.
    expect(await next(recent)).toBe(pageOf('several', '1.0'));
  });
});
