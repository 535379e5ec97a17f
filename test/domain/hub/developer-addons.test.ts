/* What the developer hub reads: the progress of add-ons, their uploads and threads. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon } from '../../support/factories.ts';
import { addNotes } from '../../support/notes.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let author: Client;
let stranger: Client;
beforeAll(async () => {
  [author, stranger] = [await app.developer(), await app.developer()];
});

const WAITING = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.UTC(2018, 0, 1) + hours * HOUR);
const make = (facts: AddonFacts, owner = author) => addon({ authors: [owner.accountId ?? 0], ...facts });

interface Hub {
  totalCount: number;
  pageInfo: { endCursor: string };
  nodes: {
    slug: string;
    nextStep: { step: string; state: string; path: string | null } | null;
    channelStates: Record<string, unknown>[];
    openQuestions: { comments: string }[];
  }[];
}

const HUB = `query($state: AddonWorkState, $sort: DeveloperAddonSort, $first: Int, $after: String) {
  developerAddons(state: $state, sort: $sort, first: $first, after: $after) { totalCount pageInfo { endCursor } nodes { slug
    nextStep { step state path } openQuestions { comments }
    channelStates { channel version stage reason validationUrl availableVersion } } } }`;
const hub = async (client: Client, variables: Record<string, unknown> = {}) =>
  (await client.graphql<{ developerAddons: Hub }>(HUB, variables)).developerAddons;
const slugs = ({ nodes }: Hub) => nodes.map(({ slug }) => slug);

describe('developerAddons', () => {
  let owner: Client;

  beforeAll(async () => {
    owner = await app.developer();
    const failed = (stage: string) => ({ stage, reason: `${stage} it is`, reviewed: null, files: [{ status: 5 }] });
    const states: Record<string, AddonFacts> = {
      blocked: { status: 'disabled' },
      invalid: { versions: [{ created: at(1) }, { created: at(2), channel: 'unlisted', ...failed('invalid') }] },
      rejected: { status: 'incomplete', versions: [failed('rejected')] },
      off: { isDisabledByDeveloper: true },
      processing: { status: 'incomplete', versions: [{ ...failed('validating'), files: [{ status: 1 }] }] },
      signing: { status: 'incomplete', versions: [{ channel: 'unlisted', stage: 'signing', files: [{ status: 1 }] }] },
      asked: { status: 'nominated', versions: [WAITING] },
      nominated: { status: 'nominated', versions: [WAITING] },
      empty: { status: 'incomplete', versions: [] },
      without: { status: 'incomplete', versions: [{ files: [{ status: 5, statusWhenEnabled: 4 }] }] },
      fine: { averageDailyUsers: 5 },
    };
    for (const [index, [slug, facts]] of Object.entries(states).entries()) {
      const made = await make({ slug, name: { 'en-US': slug }, lastUpdated: at(index), ...facts }, owner);
      if (slug === 'asked') {
        const [version] = made.versions;
        await addNotes(app, version?.id ?? 0, [
          { action: 'more-information-requested', comments: 'Old?', created: '2018-01-01T00:00:00Z' },
          { action: 'more-information-requested', comments: 'Why?', created: '2018-01-02T00:00:00Z' },
        ]);
        await app.sql('UPDATE review_queue SET is_information_requested = true WHERE version_id = $1', [version?.id]);
      }
    }
    await app.sql(
      "INSERT INTO upload (pk, addon_id, version_id, account_id, file_name) SELECT md5(v.id::text), v.addon_id, v.id, $1, 'x' FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.slug IN ('invalid', 'processing')",
      [owner.accountId],
    );
    await make({ slug: 'gone', status: 'deleted', deletedAt: new Date() }, owner);
  });

  it('states for each add-on what its developers do next, and where', async () => {
    const { nodes: results, totalCount: count } = await hub(owner, { sort: 'NAME' });
    const steps = Object.fromEntries(results.map(({ slug, nextStep }) => [slug, Object.values(nextStep ?? {})]));
    const page = (slug: string, rest: string) => `/developers/addon/${slug}/${rest}`;
    const report = expect.stringMatching(/^\/validation\/[0-9a-f]{32}\/$/);
    expect(steps).toEqual({
      asked: ['REPLY', 'ACTION', page('asked', 'activity')],
      blocked: ['CONTACT_OPERATOR', 'ACTION', null],
      empty: ['SUBMIT_VERSION', 'ACTION', page('empty', 'versions/new')],
      fine: ['NOTHING', 'DONE', page('fine', 'versions/new')],
      invalid: ['FIX_PACKAGE', 'ACTION', report],
      nominated: ['WAIT_FOR_REVIEW', 'WAITING', page('nominated', 'activity')],
      off: ['ENABLE_ADDON', 'ACTION', page('off', 'danger')],
      processing: ['WAIT_FOR_VALIDATION', 'WAITING', report],
      rejected: ['READ_DECISION', 'ACTION', page('rejected', 'activity')],
      signing: ['WAIT_FOR_SIGNING', 'WAITING', page('signing', 'versions')],
      without: ['ENABLE_VERSION', 'ACTION', expect.stringMatching(/^\/developers\/addon\/without\/versions\/\d+$/)],
    });
    expect(count).toBe(11);
  });

  it('has the newest version of each channel and the open questions', async () => {
    const found = new Map((await hub(owner)).nodes.map((each) => [each.slug, each]));
    expect(found.get('invalid')?.channelStates).toEqual([
      {
        channel: 'LISTED',
        version: '1.0',
        stage: 'SIGNED',
        reason: null,
        availableVersion: '1.0',
        validationUrl: expect.any(String),
      },
      {
        channel: 'UNLISTED',
        version: '2.0',
        stage: 'INVALID',
        reason: 'invalid it is',
        availableVersion: null,
        validationUrl: expect.any(String),
      },
    ]);
    expect(found.get('signing')?.channelStates).toMatchObject([{ channel: 'UNLISTED', validationUrl: null }]);
    expect(found.get('empty')?.channelStates).toEqual([]);
    expect(found.get('asked')?.openQuestions).toEqual([{ comments: 'Why?' }]);
    expect(found.get('nominated')?.openQuestions).toEqual([]);
  });

  it('is filtered, sorted and paged', async () => {
    expect(slugs(await hub(owner, { state: 'WAITING', sort: 'NAME' }))).toEqual(['nominated', 'processing', 'signing']);
    expect(slugs(await hub(owner, { state: 'DONE' }))).toEqual(['fine']);
    expect((await hub(owner, { state: 'ACTION', first: 1 })).totalCount).toBe(7);
    expect(slugs(await hub(owner, { sort: 'USERS', first: 1 }))).toEqual(['fine']);
    const { pageInfo } = await hub(owner, { sort: 'NAME', first: 4 });
    const second = await hub(owner, { sort: 'NAME', first: 4, after: pageInfo.endCursor });
    expect([second.totalCount, slugs(second)]).toEqual([11, ['invalid', 'nominated', 'off', 'processing']]);
    expect(await hub(await app.developer())).toEqual({ totalCount: 0, pageInfo: { endCursor: '' }, nodes: [] });
    expect((await owner.graphqlResult(HUB, { first: 101 })).errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
    expect((await app.anonymous.graphqlResult(HUB)).errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
  });

  it('reads with a number of statements that does not grow with the add-ons', async () => {
    await hub(owner);
    const few = await statementsDuring(() => hub(owner, { sort: 'NAME', first: 1 }));
    const all = await statementsDuring(() => hub(owner, { sort: 'NAME', first: 100 }));
    expect(all.length).toBe(few.length);
  });
});

const ADDON = `query($ref: String!, $first: Int, $after: String) { addon(by: { slug: $ref }) { nextStep { step }
  channelStates { version } openQuestions { id }
  uploads(first: $first) { totalCount nodes { version stage reason } }
  thread(first: $first, after: $after) { totalCount edges { cursor node { comments version { version } } } } } }`;
interface AddonData {
  nextStep: object | null;
  channelStates: object | null;
  openQuestions: object | null;
  uploads: { totalCount: number; nodes: object[] } | null;
  thread: {
    totalCount: number;
    edges: { cursor: string; node: { comments: string; version: { version: string } } }[];
  } | null;
}
const read = async (client: Client, ref: string, variables: Record<string, unknown> = {}) =>
  (await client.graphql<{ addon: AddonData }>(ADDON, { ref, ...variables })).addon;

describe('an add-on', () => {
  beforeAll(async () => {
    const { versions } = await make({
      slug: 'talked',
      versions: [
        { version: '1.0' },
        { version: '2.0', channel: 'unlisted' },
        { version: '3.0', deletedAt: new Date() },
        { version: '4.0', stage: 'invalid', reason: 'Broken.', files: [{ status: 5 }] },
      ],
    });
    for (const [index, { id }] of versions.entries()) {
      const day = (hour: number) => `2018-10-0${index + 1}T0${hour}:00:00Z`;
      await addNotes(app, id, [
        { action: 'comment', comments: `between reviewers ${index}`, created: day(1) },
        { action: 'review-note', comments: `reply ${index}`, by: 'developer', created: day(2) },
      ]);
    }
    await app.sql(
      `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name)
       SELECT md5(random()::text), v.addon_id, v.id, $1, 'x' FROM version v JOIN addon a ON a.id = v.addon_id
       WHERE a.slug = 'talked' ORDER BY v.id`,
      [author.accountId],
    );
  });

  const comments = ({ thread }: AddonData) => thread?.edges.map(({ node }) => node.comments);

  it('has one thread of all its versions, without deleted ones, for each reader', async () => {
    expect(comments(await read(author, 'talked'))).toEqual(['reply 3', 'reply 1', 'reply 0']);
    const reviewer = await read(await app.memberWith('Addons:Review'), 'talked');
    expect(comments(reviewer)).toEqual(['reply 3', 'between reviewers 3', 'reply 0', 'between reviewers 0']);
    expect(reviewer.thread?.totalCount).toBe(4);
    const first = await read(author, 'talked', { first: 1 });
    expect([comments(first), first.thread?.totalCount]).toEqual([['reply 3'], 3]);
    const rest = await read(author, 'talked', { after: first.thread?.edges[0]?.cursor });
    expect(comments(rest)).toEqual(['reply 1', 'reply 0']);
    expect(rest.thread?.edges[0]?.node.version).toEqual({ version: '2.0' });
  });

  it('lists its uploads, failed ones with their reason, without those of deleted versions', async () => {
    expect((await read(author, 'talked', { first: 1 })).uploads).toEqual({
      totalCount: 3,
      nodes: [{ version: '4.0', stage: 'INVALID', reason: 'Broken.' }],
    });
  });

  it('shows its progress to its authors only', async () => {
    const nothing = { nextStep: null, channelStates: null, openQuestions: null, uploads: null, thread: null };
    expect(await read(stranger, 'talked')).toEqual(nothing);
    expect(await read(app.anonymous, 'talked')).toEqual(nothing);
    expect(await read(await app.memberWith('Addons:Edit'), 'talked')).toMatchObject({
      nextStep: { step: 'FIX_PACKAGE' },
      openQuestions: null,
      thread: null,
    });
  });
});
