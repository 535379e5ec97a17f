import { beforeAll, describe, expect, it } from 'vitest';
import { refreshAddonStatus } from '../../../src/domain/addons/addon-status.ts';
import { setUpApp } from '../../support/app.ts';
import { STATES } from '../../support/authorization/kinds/addons.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let owner: Client;
let admin: Client;
beforeAll(async () => {
  owner = await app.developer();
  admin = await app.admin();
});

interface Visibility {
  isPublic: boolean;
  reasons: { code: string; text: string; fixPath: string | null }[];
  gaps: { code: string; text: string; fixPath: string }[];
}

const VISIBILITY =
  'query ($ref: Int!) { addon(by: { databaseId: $ref }) { visibility { isPublic reasons { code text fixPath } gaps { code text fixPath } } } }';

async function visibility(client: Client, { id }: MadeAddon, lang = 'en'): Promise<Visibility | null> {
  const { json } = await client.request('POST', '/graphql', {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Language': lang },
    body: JSON.stringify({ query: VISIBILITY, variables: { ref: id } }),
  });
  return (json as { data: { addon: { visibility: Visibility | null } } }).data.addon.visibility;
}

const made = (facts: AddonFacts) => addon({ authors: [owner.accountId ?? 0], ...facts });

/** The guids of those of these add-ons that lists of the catalogue show to everyone. */
async function shownGuids(addons: readonly MadeAddon[]): Promise<Set<string>> {
  const { addons: found } = await app.anonymous.graphql<{ addons: { nodes: { guid: string }[] } }>(
    'query ($guid: [String!]) { addons(first: 100, filter: { guids: $guid }) { nodes { guid } } }',
    { guid: addons.map(({ guid }) => guid) },
  );
  return new Set(found.nodes.map(({ guid }) => guid));
}

/** The visibility of add-ons by id, for their owner. */
async function visibilities(addons: readonly MadeAddon[]): Promise<Map<number, Visibility>> {
  const found = new Map<number, Visibility>();
  for (let start = 0; start < addons.length; start += 25) {
    const some = addons.slice(start, start + 25);
    const fields = some.map(
      ({ id }) =>
        `a${id}: node(id: "${globalId('Addon', id)}") { ... on Addon { visibility { isPublic reasons { code } } } }`,
    );
    const nodes = await owner.graphql<Record<string, { visibility: Visibility }>>(`{ ${fields.join(' ')} }`);
    for (const { id } of some) found.set(id, nodes[`a${id}`]?.visibility as Visibility);
  }
  return found;
}

/** The status that the rules of the service give an add-on with these versions. */
async function derivedStatus(facts: AddonFacts): Promise<[MadeAddon, string]> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  const created = await made(facts);
  const { status } = await db.$transaction(async (tx) => {
    await refreshAddonStatus(tx, created.id);
    await publishAddons(tx, [created.id]);
    return tx.addon.findUniqueOrThrow({ where: { id: created.id } });
  });
  return [created, status];
}

const VERSIONS = {
  public: {},
  unlisted: { channel: 'unlisted' },
  received: { stage: 'received', files: [{ status: 1 }] },
  validating: { stage: 'validating', files: [{ status: 1 }] },
  valid: { stage: 'valid', files: [{ status: 1 }] },
  invalid: { stage: 'invalid', files: [{ status: 5 }] },
  failed: { stage: 'error', files: [{ status: 5 }] },
  waiting: { stage: 'awaiting_review', files: [{ status: 1 }] },
  signing: { stage: 'signing', files: [{ status: 1 }] },
  rejected: { stage: 'rejected', files: [{ status: 5 }] },
  disabled: { files: [{ status: 5, statusWhenEnabled: 4 }] },
  disabledWhileWaiting: { stage: 'awaiting_review', files: [{ status: 5, statusWhenEnabled: 1 }] },
  withdrawn: { files: [{ status: 5 }] },
  partlyWithdrawn: { files: [{ status: 4 }, { status: 5 }] },
  withoutFile: { files: [] },
  deleted: { deletedAt: new Date(0) },
} as const satisfies Record<string, VersionFacts>;

type VersionName = keyof typeof VERSIONS;

const codesOf = (found: Visibility | null) => found?.reasons.map(({ code }) => code);

describe('the visibility of an add-on', () => {
  it.each<[VersionName[], string[], (string | null)[]]>([
    [[], ['NO_VERSION'], ['versions/new']],
    [['deleted'], ['NO_VERSION'], ['versions/new']],
    [['unlisted'], ['ONLY_UNLISTED_VERSIONS'], [null]],
    [['received'], ['PROCESSING'], [null]],
    [['validating'], ['PROCESSING'], [null]],
    [['valid'], ['PROCESSING'], [null]],
    [['invalid'], ['INVALID'], ['versions/1']],
    [['failed'], ['FAILED'], ['versions/1']],
    [['waiting'], ['AWAITING_REVIEW'], [null]],
    [['signing'], ['SIGNING'], [null]],
    [['rejected'], ['REJECTED'], ['versions/1']],
    [['disabled'], ['VERSION_DISABLED'], ['versions/1']],
    [['disabledWhileWaiting'], ['AWAITING_REVIEW', 'VERSION_DISABLED'], [null, 'versions/1']],
    [['withdrawn'], ['VERSION_WITHDRAWN'], ['versions/new']],
    [['partlyWithdrawn'], ['VERSION_WITHDRAWN'], ['versions/new']],
    [['withoutFile'], ['VERSION_WITHOUT_FILE'], ['versions/1']],
    // Older versions than one that may become public are history.
    [['rejected', 'waiting'], ['AWAITING_REVIEW'], [null]],
    [
      ['waiting', 'invalid'],
      ['INVALID', 'AWAITING_REVIEW'],
      ['versions/2', null],
    ],
    [
      ['invalid', 'rejected', 'invalid'],
      ['INVALID', 'REJECTED'],
      ['versions/3', 'versions/2'],
    ],
    [['unlisted', 'waiting'], ['AWAITING_REVIEW'], [null]],
  ])('with versions %j has the reasons %j', async (names, codes, pages) => {
    const [created, status] = await derivedStatus({ versions: names.map((name) => VERSIONS[name]) });
    expect(status).not.toBe('public');
    const found = await visibility(owner, created);
    expect([found?.isPublic, codesOf(found)]).toEqual([false, codes]);
    const paths = pages.map((page) => {
      const path = page?.replace(/\d+$/, (number) => String(created.versions[Number(number) - 1]?.id));
      return path === undefined ? null : `/developers/addon/${created.slug}/${path}`;
    });
    expect(found?.reasons.map(({ fixPath }) => fixPath)).toEqual(paths);
  });

  it('has no reason exactly if the rules make it public and everyone finds it, for all kinds of versions together', async () => {
    const names = Object.keys(VERSIONS) as VersionName[];
    // Every kind three times, in different company.
    const lists = names.map((name, index) => [
      name,
      names[(index + 3) % names.length],
      names[(index + 7) % names.length],
    ]);
    const all: { created: MadeAddon; status: string; isOff: boolean; isBanned: boolean; title: string }[] = [];
    for (const [index, list] of lists.entries()) {
      const [isOff, isBanned] = [index % 3 === 1, index % 4 === 1];
      const versions = list.map((name) => VERSIONS[name ?? 'public']);
      const type = index % 2 === 0 ? 'extension' : 'statictheme';
      const [created, status] = await derivedStatus({ versions, isDisabledByDeveloper: isOff, type });
      all.push({ created, status, isOff, isBanned, title: `${list} ${status} ${isOff} ${isBanned}` });
    }
    const banned = all.filter(({ isBanned }) => isBanned).map(({ created }) => globalId('Addon', created.id));
    for (const id of banned) {
      await admin.graphql(
        'mutation ($id: ID!) { setAddonDisabled(input: { id: $id, by: OPERATOR, isDisabled: true }) { __typename } }',
        { id },
      );
    }
    const shown = await shownGuids(all.map(({ created }) => created));
    const found = await visibilities(all.map(({ created }) => created));
    for (const { created, status, isOff, isBanned, title } of all) {
      const { isPublic, reasons } = found.get(created.id) ?? { isPublic: null, reasons: [] };
      const codes = reasons.map(({ code }) => code);
      expect([title, isPublic, codes.length === 0]).toEqual([title, shown.has(created.guid), isPublic]);
      expect([title, isPublic]).toEqual([title, status === 'public' && !isOff && !isBanned]);
      expect([title, codes.includes('DISABLED_BY_DEVELOPERS')]).toEqual([title, isOff]);
      expect([title, codes.includes('DISABLED_BY_OPERATOR')]).toEqual([title, isBanned]);
      // The other reasons would remain.
      expect([title, codes.some((code) => !code.startsWith('DISABLED_BY'))]).toEqual([title, status !== 'public']);
      const isWaiting = codes.some((code) => /^(?:AWAITING_REVIEW|PROCESSING|SIGNING)$/.test(code));
      if (status === 'nominated') expect([title, isWaiting]).toEqual([title, true]);
      expect(new Set(codes).size).toBe(codes.length);
    }
  });

  it('is that of its status for personas and imported add-ons, and of the last state for deleted ones', async () => {
    const expected: [AddonFacts, string[], string | null][] = [
      [{ type: 'persona', versions: [], status: 'pending' }, ['AWAITING_REVIEW'], null],
      [{ type: 'persona', versions: [], status: 'rejected' }, ['REJECTED'], 'media'],
      [{ type: 'persona', versions: [], status: 'incomplete' }, ['NOT_APPROVED'], 'media'],
      [
        { type: 'persona', versions: [], status: 'disabled', statusBeforeDisabling: 'public' },
        ['DISABLED_BY_OPERATOR'],
        null,
      ],
      [{ status: 'lite-nominated' }, ['AWAITING_REVIEW'], null],
      [{ status: 'unreviewed' }, ['NOT_APPROVED'], 'versions/new'],
      [{ status: 'rejected' }, ['REJECTED'], 'versions/new'],
      [{ isDisabledByDeveloper: true }, ['DISABLED_BY_DEVELOPERS'], 'danger'],
      [STATES.deleted, ['DELETED'], null],
      [{ status: 'public', versions: [] }, ['NO_VERSION'], 'versions/new'],
    ];
    for (const [facts, codes, page] of expected) {
      const created = await made(facts);
      const found = await visibility(admin, created);
      const fixPath = page === null ? null : `/developers/addon/${created.slug}/${page}`;
      expect([facts, codesOf(found), found?.reasons[0]?.fixPath]).toEqual([facts, codes, fixPath]);
      expect((await shownGuids([created])).size).toBe(0);
    }
    expect(await visibility(owner, await made({ type: 'persona' }))).toMatchObject({ isPublic: true, reasons: [] });
  });

  it('names a question of reviewers, and an account that stops the signature', async () => {
    const asked = await made({ status: 'nominated', versions: [VERSIONS.waiting] });
    await app.sql('UPDATE review_queue SET is_information_requested = true WHERE addon_id = $1', [asked.id]);
    const question = await visibility(owner, asked);
    expect(codesOf(question)).toEqual(['INFORMATION_REQUESTED', 'AWAITING_REVIEW']);
    expect(question?.reasons[0]?.fixPath).toBe(`/developers/addon/${asked.slug}/activity`);
    const held = await made({ status: 'incomplete', versions: [VERSIONS.signing] });
    await app.sql(
      `WITH gone AS (INSERT INTO account (username, disabled_at) VALUES ('gone', now()) RETURNING id)
       INSERT INTO upload (pk, addon_id, version_id, account_id, file_name) SELECT md5('held'), $1, $2, id, 'x.xpi' FROM gone`,
      [held.id, held.versions[0]?.id],
    );
    expect(codesOf(await visibility(owner, held))).toEqual(['UPLOADER_DISABLED']);
  });

  it('is explained in the language of the request, with the version number', async () => {
    const created = await made({ status: 'nominated', versions: [VERSIONS.waiting] });
    const texts = await Promise.all(['en', 'de-AT', 'he'].map((lang) => visibility(owner, created, lang)));
    expect(texts.map((found) => found?.reasons[0]?.text)).toEqual([
      'Version 1.0 awaits review.',
      'Version 1.0 wartet auf die Prüfung.',
      'גרסה 1.0 ממתינה לסקירה.',
    ]);
  });

  it('includes gaps of the listing, which do not hide it', async () => {
    const bare = await made({ name: {} });
    const found = await visibility(owner, bare);
    const hub = `/developers/addon/${bare.slug}`;
    expect(found).toMatchObject({ isPublic: true, reasons: [] });
    expect(found?.gaps.map(({ code, fixPath }) => [code, fixPath])).toEqual([
      ['CATEGORIES', `${hub}/edit`],
      ['NAME', `${hub}/edit`],
      ['SUMMARY', `${hub}/edit`],
      ['LICENSE', `${hub}/license`],
    ]);
    const whole = await made({
      summary: { 'en-US': 'x' },
      categories: [{ app: 'desktop_browser', slug: 'tabs' }],
      versions: [{ license: { builtin: 'MIT' } }],
    });
    expect((await visibility(owner, whole))?.gaps).toEqual([]);
    expect(
      (await visibility(owner, await made({ name: {}, versions: [VERSIONS.unlisted], status: 'incomplete' })))?.gaps,
    ).toEqual([]);
  });

  it('takes one more statement for any number of add-ons', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await made({ status: 'incomplete', versions: [VERSIONS.rejected] })).id),
    );
    const query = (count: number) =>
      `{ ${ids
        .slice(0, count)
        .map(
          (id) =>
            `a${id}: node(id: "${globalId('Addon', id)}") { ... on Addon { visibility { reasons { code } } viewerRights } }`,
        )
        .join(' ')} }`;
    const [one, three] = [
      await statementsDuring(() => admin.graphql(query(1))),
      await statementsDuring(() => admin.graphql(query(3))),
    ];
    expect(three.length).toBe(one.length);
  });
});
