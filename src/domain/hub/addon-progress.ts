import { canSeeUploadStatus } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { type Context, languageOf } from '../../graphql/context.ts';
import { MessageRef } from '../../graphql/message.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { hubPath } from '../addons/addresses.ts';
import { ChannelEnum } from '../addons/enums.ts';
import { addonRights } from '../addons/find-addon.ts';
import { readableChannels } from '../reviewing/addon-thread.ts';
import { ReviewNote } from '../reviewing/review-note.ts';
import { messageIn, reasonText, UploadStage } from '../uploads/upload.ts';
import { Version } from '../versions/version.ts';
import { addonFacts, type HubAddonFacts, type HubVersionFacts } from './addon-facts.ts';
import { type NextStep as Next, type NextStepName, nextStepOf, workStateOf } from './next-step.ts';

/** The progress of an add-on; null unless the viewer is an author or holds Addons:Edit. */
async function factsFor(context: Context, id: number): Promise<HubAddonFacts | null> {
  const { authors } = await addonRights(context).load(id);
  return canSeeUploadStatus(context.viewer, authors) ? addonFacts(context).load(id) : null;
}

/** The newest version of a channel, and the one that is available. */
interface ChannelProgress extends HubVersionFacts {
  available: HubAddonFacts['available'][number] | null;
}

const CHANNELS = ['listed', 'unlisted'] as const;

const channelsOf = ({ versions, available }: HubAddonFacts): ChannelProgress[] =>
  CHANNELS.flatMap((channel) => {
    const newest = versions.find((version) => version.channel === channel);
    return newest === undefined
      ? []
      : [{ ...newest, available: available.find((version) => version.channel === channel) ?? null }];
  });

const ChannelState = builder.objectRef<ChannelProgress>('ChannelState').implement({
  description: 'The progress of an add-on in one channel.',
  fields: (t) => ({
    channel: t.expose('channel', { type: ChannelEnum, description: 'The channel.' }),
    version: t.exposeString('version', { description: 'The number of its newest version, failed ones included.' }),
    versionDatabaseId: t.exposeInt('id', { description: 'The id of that version in REST.' }),
    stage: t.expose('stage', { type: UploadStage, description: 'The stage of that version.' }),
    reason: t.string({
      nullable: true,
      description:
        'Why that version failed or was rejected, in the language of the request: en, de or he; null otherwise.',
      resolve: ({ reason }, _args, context) => reasonText(reason, languageOf(context)),
    }),
    reasonMessage: t.field({
      type: MessageRef,
      nullable: true,
      description: 'The same as code and parameters; null for the words of a reviewer.',
      resolve: ({ reason }) => messageIn(reason),
    }),
    created: t.field({
      type: 'DateTime',
      description: 'When that version was uploaded.',
      resolve: ({ created }) => new Date(created),
    }),
    validationUrl: t.string({
      nullable: true,
      description: 'Address of the validation results of that version; null for an imported one.',
      resolve: ({ pk }) => (pk === null ? null : `${config.BASE_URL}/validation/${pk}/`),
    }),
    availableVersion: t.string({
      nullable: true,
      description:
        'The number of the newest version that is signed and not disabled, so that users can install it while the add-on is enabled; null without one.',
      resolve: ({ available }) => available?.version,
    }),
    queuePlace: t.int({
      nullable: true,
      description:
        'The place of that version in the review queue of its type and channel, from 1; null unless it waits for a review.',
      resolve: ({ id, stage }, _args, context) => (stage === 'awaiting_review' ? queuePlaces(context).load(id) : null),
    }),
    available: t.field({
      type: Version,
      nullable: true,
      description: 'That version, with its files; null without one, and for viewers who may not see it.',
      resolve: ({ available }, _args, context) =>
        available === null ? null : Version.loadOrNull(context, available.id),
    }),
  }),
});

const StepEnum = enumOf<NextStepName>(
  'AddonStep',
  'What the developers of an add-on do next. The first one that applies is chosen.',
  {
    'contact-operator': 'The operator disabled the add-on.',
    reply: 'A reviewer has requested information.',
    'fix-package': 'Validation of the newest version failed.',
    'read-decision': 'A reviewer rejected the newest version.',
    'enable-addon': 'Its developers have disabled the add-on.',
    'wait-for-validation': 'Nothing: the newest version is being validated.',
    'wait-for-signing': 'Nothing: the newest version is being signed.',
    'wait-for-review': 'Nothing: the newest version waits for a reviewer.',
    nothing: 'Nothing: users can install it.',
    distribute: 'Its unlisted version is signed: its developers distribute the file themselves.',
    'submit-version': 'It has no version.',
    'enable-version': 'Its developers have disabled the newest version.',
    'replace-version':
      'No version is available: withdrawn by the operator, without a file, or imported without an approval.',
    'change-theme': 'The persona is incomplete; a change requests its review.',
  },
);

export const WorkStateEnum = enumOf('AddonWorkState', 'Who acts next on an add-on.', {
  action: 'Its developers.',
  waiting: 'The service or a reviewer.',
  done: 'No one: users can install it.',
});

/** The page of the developer hub for each step; null where the newest upload has it, or no page helps. */
const STEP_PAGES: Readonly<Record<NextStepName, ((next: Next) => string) | null>> = {
  'contact-operator': null,
  reply: () => 'activity',
  'fix-package': null,
  'read-decision': () => 'activity',
  'enable-addon': () => 'danger',
  'wait-for-validation': null,
  'wait-for-signing': null,
  'wait-for-review': () => 'activity',
  nothing: () => 'versions/new',
  distribute: null,
  'submit-version': () => 'versions/new',
  'enable-version': ({ version }) => (version === null ? 'versions' : `versions/${version.id}`),
  'replace-version': () => 'versions/new',
  'change-theme': () => 'media',
};

function stepPath(addon: HubAddonFacts): string | null {
  const next = nextStepOf(addon);
  if (next.step === 'contact-operator') return null;
  const page = STEP_PAGES[next.step];
  if (page !== null) return hubPath(addon, page(next));
  if (next.step === 'distribute') return signedFilePath(addon);
  const pk = next.version?.pk ?? null;
  return pk === null ? hubPath(addon, 'versions') : `/validation/${pk}/`;
}

/** The path of the newest unlisted file, for its developers. */
function signedFilePath(addon: HubAddonFacts): string {
  const file = addon.available.find(({ channel }) => channel === 'unlisted')?.file ?? null;
  return file === null ? hubPath(addon, 'versions') : `/developers/file/${file.id}/${encodeURIComponent(file.name)}`;
}

const NextStep = builder.objectRef<HubAddonFacts>('AddonNextStep').implement({
  description: 'What the developers of an add-on do next.',
  fields: (t) => ({
    step: t.field({ type: StepEnum, description: 'The step.', resolve: (addon) => nextStepOf(addon).step }),
    state: t.field({
      type: WorkStateEnum,
      description: 'Whose turn it is.',
      resolve: (addon) => workStateOf(nextStepOf(addon).step),
    }),
    path: t.string({
      nullable: true,
      description: 'Path of the page on which it is done or followed; null when no page helps.',
      resolve: stepPath,
    }),
  }),
});

builder.objectFields(Addon, (t) => ({
  channelStates: t.field({
    type: [ChannelState],
    nullable: true,
    description:
      'The newest version of each channel that has one, listed first. Null unless the viewer is an author or holds Addons:Edit.',
    resolve: async ({ id }, _args, context) => {
      const facts = await factsFor(context, id);
      return facts && channelsOf(facts);
    },
  }),
  nextStep: t.field({
    type: NextStep,
    nullable: true,
    description: 'What its developers do next. Null unless the viewer is an author or holds Addons:Edit.',
    resolve: ({ id }, _args, context) => factsFor(context, id),
  }),
  openQuestions: t.field({
    type: [ReviewNote],
    nullable: true,
    description:
      'The requests of reviewers for information that its developers have not replied to, oldest first. Null for viewers who are neither authors of the add-on nor reviewers.',
    resolve: async ({ id }, _args, context) => {
      const channels = readableChannels(context.viewer, await addonRights(context).load(id));
      if (channels.length === 0) return null;
      const { questions } = (await addonFacts(context).load(id)) ?? { questions: [] };
      return questions.filter(({ channel }) => channels.includes(channel)).map((question) => question.id);
    },
  }),
}));

/** The place of versions in the review queue of their type and channel, from 1; null for those that do not wait. */
const queuePlaces = perRequest<number, number | null>(async (versionIds) => {
  const rows = await db.$queryRaw<{ id: number; place: number }[]>`
    SELECT id, place FROM (
      SELECT q.version_id AS id, row_number() OVER (PARTITION BY q.type, q.channel ORDER BY q.waiting_since, q.version_id)::int AS place
      FROM review_queue q WHERE NOT EXISTS (SELECT FROM addon a WHERE a.id = q.addon_id AND a.deleted_at IS NOT NULL)
    ) ranked WHERE id = ANY(${[...versionIds]}::int[])`;
  const places = new Map(rows.map(({ id, place }) => [id, place]));
  return versionIds.map((id) => places.get(id) ?? null);
});
