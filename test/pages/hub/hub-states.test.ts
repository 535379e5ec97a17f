/*
 * For every state of an add-on, a persona and an unlisted version: GraphQL, the developer hub, the banner of the add-on's page and the
 * download say the same.
 */
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { storedFiles } from '../../support/stored-files.ts';

const store = storedFiles('.xpi');
const bytes = randomBytes(300);
const sha256 = createHash('sha256').update(bytes).digest('hex');

const app = setUpApp();
let owner: Client;
let admin: Client;
let author: Visitor;
beforeAll(async () => {
  [owner, admin] = [await app.developer(), await app.admin()];
  author = await visitorOf(app, owner);
  const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
  await blobs.put({ path: await store(bytes), sha256 });
});

type FileFacts = NonNullable<VersionFacts['files']>[number];
const STORED = { sha256, size: BigInt(bytes.length), isStored: true };
const SIGNED: FileFacts = { ...STORED, signedSha256: sha256, signedAt: new Date() };
const WAITING: FileFacts = { ...STORED, status: 1 };
const FAILED: FileFacts = { ...STORED, status: 5 };

/** The states of a version: its stage, and the flags of its files. */
const VERSIONS: Readonly<Record<string, VersionFacts>> = {
  received: { stage: 'received', files: [WAITING] },
  validating: { stage: 'validating', files: [WAITING] },
  valid: { stage: 'valid', files: [WAITING] },
  invalid: { stage: 'invalid', files: [FAILED] },
  failed: { stage: 'error', files: [FAILED] },
  waiting: { stage: 'awaiting_review', files: [WAITING] },
  waitingDisabled: { stage: 'awaiting_review', files: [{ ...STORED, status: 5, statusWhenEnabled: 1 }] },
  signing: { stage: 'signing', files: [WAITING] },
  rejected: { stage: 'rejected', files: [FAILED] },
  signed: { files: [SIGNED] },
  disabled: { files: [{ ...SIGNED, status: 5, statusWhenEnabled: 4 }] },
  withdrawn: { files: [{ ...SIGNED, status: 5 }] },
  withoutFile: { files: [] },
};

/** What was there before the newest version. */
const BEFORE: Readonly<Record<string, readonly VersionFacts[]>> = {
  nothing: [],
  listed: [{ files: [SIGNED] }],
  unlisted: [{ channel: 'unlisted', files: [SIGNED] }],
};

interface Case {
  title: string;
  made: MadeAddon;
  isBlocked: boolean;
}

async function derived(facts: AddonFacts): Promise<MadeAddon> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  const { refreshAddonStatus } = await import('../../../src/domain/addons/addon-status.ts');
  const made = await addon({ authors: [owner.accountId ?? 0], ...facts });
  await db.$transaction(async (tx) => {
    if (facts.type !== 'persona') await refreshAddonStatus(tx, made.id);
    await publishAddons(tx, [made.id]);
  });
  return made;
}

const ADDON_STATES = ['enabled', 'off', 'banned'] as const;

/** Every state: of extensions by the newest version, its channel, what was before it, and what disables the add-on; and of personas. */
async function allCases(): Promise<Case[]> {
  const cases: Case[] = [];
  const add = async (title: string, facts: AddonFacts, state: (typeof ADDON_STATES)[number], isBlocked = false) => {
    const made = await derived({ ...facts, isDisabledByDeveloper: state === 'off' });
    if (state === 'banned') {
      await admin.graphql(
        'mutation ($id: ID!) { setAddonDisabled(input: { id: $id, by: OPERATOR, isDisabled: true }) { __typename } }',
        { id: globalId('Addon', made.id) },
      );
    }
    cases.push({ title, made, isBlocked });
  };
  for (const [name, version] of Object.entries(VERSIONS)) {
    for (const channel of ['listed', 'unlisted'] as const) {
      for (const [before, versions] of Object.entries(BEFORE)) {
        for (const state of ADDON_STATES) {
          // What disables an add-on hides a version that was there before.
          if (state !== 'enabled' && before !== 'listed') continue;
          const facts = { versions: [...versions, { ...version, channel }] };
          await add(`${name} ${channel} after ${before}, ${state}`, facts, state);
        }
      }
    }
  }
  for (const state of ADDON_STATES) await add(`no version, ${state}`, { versions: [], status: 'incomplete' }, state);
  for (const status of ['public', 'pending', 'rejected', 'incomplete']) {
    await add(`persona ${status}`, { type: 'persona', status, versions: [] }, 'enabled');
  }
  for (const channel of ['listed', 'unlisted'] as const) {
    await add(
      `signing ${channel}, uploader disabled`,
      { versions: [{ ...VERSIONS.signing, channel }] },
      'enabled',
      true,
    );
  }
  for (const { made } of cases.filter(({ isBlocked }) => isBlocked)) {
    await app.sql(
      `WITH gone AS (INSERT INTO account (username, disabled_at) VALUES ('gone' || $2, now()) RETURNING id)
       INSERT INTO upload (pk, addon_id, version_id, account_id, file_name) SELECT md5('held' || $2), $1, $2::int, id, 'x' FROM gone`,
      [made.id, String(made.versions[0]?.id)],
    );
  }
  return cases;
}

interface Progress {
  nextStep: { step: string; state: string; path: string | null };
  channelStates: {
    channel: string;
    version: string;
    stage: string;
    available: { files: { databaseId: number; name: string }[] } | null;
  }[];
  visibility: {
    isPublic: boolean;
    isSelfDistributed: boolean;
    reasons: { code: string; text: string; fixPath: string | null }[];
  };
}

const progressOf = async ({ id }: MadeAddon): Promise<Progress> =>
  (
    await owner.graphql<{ addon: Progress }>(
      `query ($ref: Int!) { addon(by: { databaseId: $ref }) { nextStep { step state path }
        channelStates { channel version stage available { files { databaseId name } } }
        visibility { isPublic isSelfDistributed reasons { code text fixPath } } } }`,
      { ref: id },
    )
  ).addon;

/** The reasons that must be among those of an add-on that is not public, for a step about the whole add-on or a listed version. */
const REASONS_OF_STEP: Readonly<Record<string, readonly string[]>> = {
  CONTACT_OPERATOR: ['DISABLED_BY_OPERATOR', 'UPLOADER_DISABLED'],
  REPLY: ['INFORMATION_REQUESTED'],
  FIX_PACKAGE: ['INVALID', 'FAILED'],
  READ_DECISION: ['REJECTED'],
  ENABLE_ADDON: ['DISABLED_BY_DEVELOPERS'],
  WAIT_FOR_VALIDATION: ['PROCESSING'],
  WAIT_FOR_SIGNING: ['SIGNING'],
  WAIT_FOR_REVIEW: ['AWAITING_REVIEW'],
  SUBMIT_VERSION: ['NO_VERSION'],
  ENABLE_VERSION: ['VERSION_DISABLED'],
  REPLACE_VERSION: ['VERSION_WITHDRAWN', 'VERSION_WITHOUT_FILE', 'NOT_APPROVED'],
  CHANGE_THEME: ['NOT_APPROVED'],
};

const stepTexts: Readonly<Record<string, string>> = en;
const stepText = (step: string) => stepTexts[`hub.step.${step.toLowerCase().replaceAll('_', '-')}`] ?? 'missing';

/** What contradicts itself in one state. */
async function contradictions({ made }: Case): Promise<string[]> {
  const found: string[] = [];
  const check = (isRight: boolean, problem: string) => void (isRight || found.push(problem));
  const { nextStep, channelStates, visibility } = await progressOf(made);
  const { step, state, path } = nextStep;
  const { isPublic, isSelfDistributed, reasons } = visibility;
  const codes = reasons.map(({ code }) => code);
  const listed = channelStates.find(({ channel }) => channel === 'LISTED');
  // A failed attempt is to be fixed although an older version is available.
  const isAttempt = listed?.available != null && ['FIX_PACKAGE', 'READ_DECISION'].includes(step);

  check(isPublic === (reasons.length === 0), `public ${isPublic} with reasons ${codes}`);
  check(step !== 'NOTHING' || isPublic, `nothing to do, but not public: ${codes}`);
  check((step === 'DISTRIBUTE') <= isSelfDistributed, 'distribute, but it should be in the catalogue');
  check(isSelfDistributed <= !codes.some((code) => code !== 'ONLY_UNLISTED_VERSIONS'), 'self-distributed with faults');
  const isAboutListed = listed !== undefined || ['CONTACT_OPERATOR', 'ENABLE_ADDON', 'SUBMIT_VERSION'].includes(step);
  if (!isPublic && !isSelfDistributed && isAboutListed && !isAttempt && state !== 'DONE') {
    const needed = REASONS_OF_STEP[step] ?? [];
    const isUnlistedFirst = channelStates.some(
      ({ channel, stage }) => channel === 'UNLISTED' && !['SIGNED'].includes(stage),
    );
    check(isUnlistedFirst || needed.some((code) => codes.includes(code)), `step ${step}, but reasons ${codes}`);
  }
  const hub = await author.get(`/developers/addon/${made.slug}/`);
  const hubText = textOf(hub);
  check(hubText.includes(stepText(step)), `the hub does not say ${step}`);
  const own = await author.get(`/addon/${made.slug}/`);
  for (const { text } of reasons) {
    check(hubText.includes(text), `the hub does not say "${text}"`);
    check(own.status !== 200 || textOf(own).includes(text), `the banner does not say "${text}"`);
  }
  const heading = isPublic
    ? en['hub.overview.visible']
    : en[isSelfDistributed ? 'hub.overview.self-distributed' : 'hub.overview.why-not-visible'];
  check(hubText.includes(heading), `the hub lacks the heading "${heading}"`);
  check(textOf(own).includes(en['addon.hidden']) === (!isPublic && !isSelfDistributed), 'the banner does not fit');
  const anonymous = new Visitor(app);
  const shown = (await anonymous.get(`/addon/${made.slug}/`)).status;
  check((shown === 200) === isPublic, `visitors get ${shown}`);
  for (const link of new Set([path, ...reasons.map(({ fixPath }) => fixPath)])) {
    if (link !== null) check((await author.get(link)).status === 200, `${link} does not open`);
  }
  for (const { channel, available } of channelStates) {
    for (const { databaseId, name } of available?.files ?? []) {
      const address = `/developers/file/${databaseId}/${name}`;
      check(hub.text.includes(`href="${address}"`), `${channel}: no link to the signed file`);
      check((await author.get(address)).status === 200, `${channel}: the author cannot download`);
      const { status } = await app.anonymous.get(`/downloads/file/${databaseId}/${name}`);
      check((status === 200) === (isPublic && channel === 'LISTED'), `${channel}: visitors download with ${status}`);
    }
  }
  check(step !== 'DISTRIBUTE' || path?.startsWith('/developers/file/') === true, 'no file to distribute');
  return found;
}

describe('GraphQL, the developer hub, the banner and the download', () => {
  it('do not contradict each other in any state of an add-on', { timeout: 300_000 }, async () => {
    const cases = await allCases();
    expect(cases.length).toBeGreaterThan(130);
    const found: Record<string, string[]> = {};
    for (const each of cases) {
      const problems = await contradictions(each);
      if (problems.length > 0) found[each.title] = problems;
    }
    expect(found).toEqual({});
  });
});
