import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { xpi } from '../../support/packages.ts';
import { type PackedVersion, packedAddon, readFacts } from '../../support/review-facts.ts';
import { statementsDuring } from '../../support/statements.ts';
import { storePackage } from '../../support/store-package.ts';

const app = setUpApp();
let author: Client;
let reviewer: Client;
beforeAll(async () => {
  author = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
});

interface Facts {
  base: { version: string } | null;
  newMessages: { errors: number; warnings: number; messages: { code: string; file: string }[] } | null;
  sentHash: string | null;
  signedHash: string | null;
  waitingSince: string | null;
  medianWaitingHours: number | null;
  reportCount: number;
  openReportCount: number;
  authorDecisions: {
    approvedCount: number;
    rejectedCount: number;
    newest: { isApproval: boolean; version: { id: string } }[];
  };
  sharedFiles: { fileCount: number; paths: string[]; isRejected: boolean; version: { id: string } }[] | null;
}
const FACTS = `base { version } newMessages { errors warnings messages { code file } } sentHash signedHash waitingSince
  medianWaitingHours reportCount openReportCount
  authorDecisions { approvedCount rejectedCount newest { isApproval version { id } } }
  sharedFiles { fileCount paths isRejected version { id } }`;

const factsOf = (client: Client, id: number) => readFacts<Facts>(client, id, FACTS);

const AWAITING: VersionFacts = { stage: 'awaiting_review', reviewed: null };

const packed = (files: Record<string, string>, version?: PackedVersion, authors = [author.accountId ?? 0]) =>
  packedAddon(authors, files, version);

describe('Version.reviewFacts', () => {
  it('has the base, hashes, waiting time and reports of a version', async () => {
    const [old, recent] = [
      await storePackage(await xpi({ version: '1.0' })),
      await storePackage(await xpi({ version: '2.0' })),
    ];
    const { id: addonId, versions } = await addon({
      authors: [author.accountId ?? 0],
      versions: [
        { version: '1.0', files: [old] },
        { ...AWAITING, version: '2.0', files: [{ ...recent, status: 1 }], created: new Date(Date.now() - 36e5 * 10) },
      ],
    });
    await app.sql(
      `INSERT INTO abuse_report (addon_id, message, state, decided_by, decided)
       VALUES ($1, 'x', 'open', NULL, NULL), ($1, 'y', 'dismissed', $2, now())`,
      [addonId, reviewer.accountId],
    );
    const facts = await factsOf(reviewer, versions[1]?.id ?? 0);
    expect(facts).toMatchObject({ base: { version: '1.0' }, reportCount: 2, openReportCount: 1, signedHash: null });
    expect(facts?.sentHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(facts?.medianWaitingHours).toBeCloseTo(10, 1);
    expect(Date.now() - Date.parse(facts?.waitingSince ?? '')).toBeGreaterThan(36e5 * 9);
    expect(await factsOf(reviewer, versions[0]?.id ?? 0)).toMatchObject({ base: null, waitingSince: null });
  });

  it('has the messages of the validator that the base does not have', async () => {
    const { id: addonId, versions } = await addon({
      authors: [author.accountId ?? 0],
      versions: [{ version: '1.0' }, { ...AWAITING, version: '2.0', files: [{ status: 1 }] }],
    });
    const [base = 0, id = 0] = versions.map((version) => version.id);
    const results = (rules: string[]) =>
      JSON.stringify({
        ...{ errors: 0, warnings: rules.length, notices: 0 },
        messages: rules.map((rule) => ({ type: 'warning', id: [rule], message: rule, description: '', file: 'a.js' })),
      });
    const insert = (versionId: number, rules: string[]) =>
      app.sql(
        `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, validation)
         VALUES (md5(random()::text), $1, $2, $3, 'x.xpi', $4)`,
        [addonId, versionId, author.accountId, results(rules)],
      );
    expect((await factsOf(reviewer, id))?.newMessages).toBeNull();
    await insert(base, ['KNOWN', 'GONE']);
    await insert(id, ['KNOWN', 'NEW']);
    expect((await factsOf(reviewer, id))?.newMessages).toEqual({
      ...{ errors: 0, warnings: 1 },
      messages: [{ code: 'NEW', file: 'a.js' }],
    });
  });

  it('has the earlier decisions about the add-ons of the same authors', async () => {
    const other = await app.developer();
    const authors = [other.accountId ?? 0];
    const [first, second, hidden] = [
      await packed({}, {}, authors),
      await packed({}, { stage: 'rejected' }, authors),
      await packed({}, { channel: 'unlisted' }, authors),
    ];
    const decide = (action: string, { addonId, id }: { addonId: number; id: number }) =>
      app.sql('INSERT INTO activity (action, account_id, addon_id, version_id) VALUES ($1, $2, $3, $4)', [
        ...[action, reviewer.accountId, addonId, id],
      ]);
    await decide('approved', first);
    await decide('rejected', second);
    await decide('approved', hidden);
    const { id } = await packed({}, AWAITING, authors);
    expect((await factsOf(reviewer, id))?.authorDecisions).toEqual({
      ...{ approvedCount: 1, rejectedCount: 1 },
      newest: [
        { isApproval: false, version: { id: globalId('Version', second.id) } },
        { isApproval: true, version: { id: globalId('Version', first.id) } },
      ],
    });
    const { reviewQueue } = await reviewer.graphql<{
      reviewQueue: { nodes: { version: object; authorDecisions: object }[] };
    }>(
      '{ reviewQueue(sort: NEWEST, first: 5) { nodes { version { id } authorDecisions { approvedCount rejectedCount } } } }',
    );
    expect(reviewQueue.nodes).toContainEqual({
      version: { id: globalId('Version', id) },
      authorDecisions: { approvedCount: 1, rejectedCount: 1 },
    });
    const own = await addon({ authors, versions: [{ version: '1.0' }, { ...AWAITING, version: '2.0' }] });
    const [approved = 0, shown = 0] = own.versions.map((version) => version.id);
    for (const version of [approved, shown]) await decide('approved', { addonId: own.id, id: version });
    const decisions = '{ approvedCount rejectedCount newest { isApproval reviewer { username } version { id } } }';
    const fields = `addonDecisions ${decisions} otherAddonDecisions ${decisions}`;
    const { username } =
      (await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [reviewer.accountId]))[0] ??
      {};
    const decided = (isApproval: boolean, version: number) => ({
      ...{ isApproval, reviewer: { username } },
      version: { id: globalId('Version', version) },
    });
    expect(await readFacts(reviewer, shown, fields)).toEqual({
      packageState: null,
      addonDecisions: { approvedCount: 1, rejectedCount: 0, newest: [decided(true, approved)] },
      otherAddonDecisions: {
        ...{ approvedCount: 1, rejectedCount: 1 },
        newest: [decided(false, second.id), decided(true, first.id)],
      },
    });
  });

  it('has decisions about public and referred versions for holders of Addons:Edit who are no reviewers', async () => {
    const editor = await app.memberWith('Addons:Edit');
    const other = await app.developer();
    const authors = [other.accountId ?? 0];
    const [shown, rejected, unlisted] = [
      await packed({}, {}, authors),
      await packed({}, { stage: 'rejected' }, authors),
      await packed({}, { ...AWAITING, channel: 'unlisted' }, authors),
    ];
    const { id, addonId } = await packed({}, AWAITING, authors);
    await app.sql('UPDATE review_queue SET is_referred = true WHERE version_id = $1', [id]);
    for (const [action, version] of [
      ['approved', shown],
      ['rejected', rejected],
      ['rejected', unlisted],
      ['rejected', { addonId, id }],
    ] as const) {
      await app.sql('INSERT INTO activity (action, account_id, addon_id, version_id) VALUES ($1, $2, $3, $4)', [
        ...[action, reviewer.accountId, version.addonId, version.id],
      ]);
    }
    expect((await factsOf(editor, id))?.authorDecisions).toEqual({
      ...{ approvedCount: 1, rejectedCount: 1 },
      newest: [
        { isApproval: false, version: { id: globalId('Version', id) } },
        { isApproval: true, version: { id: globalId('Version', shown.id) } },
      ],
    });
    const { reviewQueue } = await editor.graphql<{
      reviewQueue: { nodes: { version: { id: string }; authorDecisions: object }[] };
    }>('{ reviewQueue(first: 50) { nodes { version { id } authorDecisions { approvedCount rejectedCount } } } }');
    expect(reviewQueue.nodes).toContainEqual({
      version: { id: globalId('Version', id) },
      authorDecisions: { approvedCount: 1, rejectedCount: 1 },
    });
  });

  it('has other add-ons with the same files, rejected ones first, without common and small files', async () => {
    const { storeFileHashes } = await import('../../../src/domain/code/store-file-hashes.ts');
    const rare = `// rare\n${'a();\n'.repeat(100)}`;
    const common = `// common\n${'b();\n'.repeat(100)}`;
    const files = { 'rare.js': rare, 'common.js': common, 'small.js': 'c();' };
    const shared = await packed({ 'x/rare.js': rare, 'y.js': `${rare}//\n` });
    const rejected = await packed({ 'rare.js': rare }, { stage: 'rejected' });
    for (let index = 0; index < 11; index++) await packed({ 'lib.js': common, 'small.js': 'c();' });
    const { id, addonId } = await packed(files, AWAITING);
    expect((await factsOf(reviewer, id))?.sharedFiles).toEqual([]);
    await storeFileHashes();
    // Many packages of the add-on itself hide no other add-on.
    await app.sql(
      `WITH own AS (INSERT INTO file (version_id, name, size, sha256, original_sha256, are_files_hashed)
         SELECT (SELECT min(id) FROM version), 'x', 1, repeat('0', 64), repeat('0', 64), true FROM generate_series(1, 300) RETURNING id)
       INSERT INTO package_file (sha256, addon_id, file_id) SELECT sha256(convert_to($1, 'UTF8')), $2, id FROM own`,
      [rare, addonId],
    );
    expect(await app.sql('SELECT FROM file WHERE NOT are_files_hashed AND is_stored')).toEqual([]);
    const of = ({ id: other }: { id: number }, isRejected: boolean) => ({
      ...{ fileCount: 1, paths: ['rare.js'], isRejected },
      version: { id: globalId('Version', other) },
    });
    expect((await factsOf(reviewer, id))?.sharedFiles).toEqual([of(rejected, true), of(shared, false)]);
    await app.sql("DELETE FROM file WHERE name = 'x'");
    const statements = async () => (await statementsDuring(() => factsOf(reviewer, id))).length;
    const before = await statements();
    await packed({ 'rare.js': rare });
    await storeFileHashes();
    expect(await statements()).toBe(before);
  });

  it('is for reviewers of the type and channel', async () => {
    const { id } = await packed({}, AWAITING);
    const unlisted = await packed({}, { ...AWAITING, channel: 'unlisted' });
    expect(await factsOf(author, id)).toBeNull();
    expect(await factsOf(await app.memberWith('Addons:ContentReview'), id)).toBeNull();
    expect(await factsOf(await app.memberWith('Addons:ReviewUnlisted'), unlisted.id)).not.toBeNull();
  });
});
