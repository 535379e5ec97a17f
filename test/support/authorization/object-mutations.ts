/* Every mutation that takes an add-on or a version. */
import { globalId } from '../global-ids.ts';
import {
  AUTHORS,
  addonId,
  change,
  EDITORS,
  edits,
  type GraphqlAction,
  owns,
  type Rule,
  releases,
  reviewed,
  signedIn,
  submits,
  versionEdit,
  versionId,
} from './object-rules.ts';
import type { Rights, StateName } from './object-states.ts';
import { badFile } from './world.ts';

/** The states that rights to changes differ in. */
const CHANGED_STATES: readonly StateName[] = [
  ...(['public', 'disabledByOperator', 'disabledByDevelopers', 'waiting', 'processing', 'failed'] as const),
  ...(['withoutVersions', 'unlisted', 'withProcessedUpload', 'withDeletedVersion'] as const),
  ...(['waitingTheme', 'waitingPersona', 'deleted'] as const),
];

const NO_ACCOUNT = globalId('Account', 2e9);
const TOO_LONG = 'x'.repeat(10_001);

/** A mutation of the add-on. Input that is invalid, which is judged after the rights, changes nothing. */
const addonChange = (
  name: string,
  rule: Rule,
  input: object = {},
  { key = 'id', ...more }: { key?: string; sameAs?: string[] } = {},
): GraphqlAction => ({
  ...{ name, rule, ...more },
  source: mutationText(name),
  variables: (target) => ({ input: { [key]: addonId(target), ...input } }),
});

const versionChange = (
  name: string,
  rule: Rule,
  input: object = {},
  { key = 'id', ...more }: { key?: string; sameAs?: string[] } = {},
): GraphqlAction => ({
  ...{ name, rule, needsVersion: true, ...more },
  source: mutationText(name),
  variables: (target) => ({ input: { [key]: versionId(target), ...input } }),
});

/** A review of the version. The text is judged after the rights. */
const review = (name: string, rule: Rule, input: object = { comments: TOO_LONG }): GraphqlAction =>
  versionChange(name, rule, input);

/** The text of the operation that runs a mutation. Several entries with one mutation differ after a comma. */
function mutationText(name: string): string {
  const [field = ''] = name.split(',');
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  return `mutation ($input: ${type}Input!) { ${field}(input: $input) { __typename ... on UserError { code } } }`;
}

const isPersona = ({ inspects }: Rights) => inspects.includes('personaReviewer');

const MUTATIONS: readonly GraphqlAction[] = [
  addonChange('updateAddon', edits, { slug: '' }, { sameAs: ['PATCH /addons/addon/:addon/'] }),
  addonChange('updateAddon, legal terms', owns, { eula: [{ locale: 'xx', value: 'x' }] }),
  addonChange('updateAddon, what is public of releases', releases, { isSourcePublic: true, slug: '' }),
  addonChange('setAddonIcon', edits, { file: badFile() }),
  addonChange('addPreview', edits, { file: badFile() }, { key: 'addon' }),
  {
    ...addonChange('updatePreview', edits),
    variables: ({ addon, world }) => {
      const caption = [{ locale: 'xx', value: 'x' }];
      return { input: { id: globalId('Preview', world.previews.get(addon.id)?.[0]), caption } };
    },
  },
  {
    // Each role that may deletes another one.
    ...addonChange('deletePreview', edits),
    variables: ({ addon, world, role }) => {
      const id = world.previews.get(addon.id)?.[EDITORS.indexOf(role) + 1];
      return { input: { id: globalId('Preview', id) } };
    },
  },
  addonChange('updatePersona', releases, { accentColor: 'x' }),
  addonChange('inviteAddonAuthor', owns, { account: { id: NO_ACCOUNT } }),
  addonChange('updateAddonAuthor', owns, { account: NO_ACCOUNT }),
  addonChange('removeAddonAuthor', owns, { account: NO_ACCOUNT }),
  addonChange('reorderAddonAuthors', owns, { accounts: [] }),
  // To the present state.
  {
    ...addonChange(
      'setAddonDisabled, by developers',
      change(() => AUTHORS),
    ),
    variables: (target) => {
      const disabled = target.facts.isDisabledByDeveloper ?? false;
      return { input: { id: addonId(target), by: 'DEVELOPER', isDisabled: disabled } };
    },
  },
  {
    ...addonChange(
      'setAddonDisabled, by operators',
      change(() => ['editor', 'root']),
    ),
    variables: (target) => {
      const disabled = target.facts.status === 'disabled';
      return { input: { id: addonId(target), by: 'OPERATOR', isDisabled: disabled } };
    },
  },
  {
    ...addonChange(
      'deleteAddon',
      change((rights) => rights.deletes),
    ),
    consumes: true,
  },
  {
    ...addonChange(
      'reviveAddon',
      signedIn((_rights, role) => (['editor', 'root'].includes(role) ? 200 : 403)),
    ),
    consumes: true,
  },
  addonChange(
    'reviewPersona',
    signedIn((rights, role) =>
      !['personaReviewer', 'root'].includes(role) ? 403 : isPersona(rights) && !rights.isDeleted ? 200 : 404,
    ),
    { approve: true, revision: 'x' },
  ),
  addonChange(
    'setFeatured',
    signedIn(({ isDeleted }, role) => (!['official', 'root'].includes(role) ? 403 : isDeleted ? 404 : 200)),
    {
      ...{ app: 'DESKTOP_BROWSER', locale: 'xx', isFeatured: true },
    },
  ),
  {
    name: 'createUpdateAddress',
    source: mutationText('createUpdateAddress'),
    variables: ({ addon }) => ({ input: { guid: addon.guid } }),
    rule: signedIn((_rights, role) => (AUTHORS.includes(role) ? 200 : 403)),
  },
  {
    name: 'submitVersion, of a file',
    source: mutationText('submitVersion'),
    variables: ({ addon }) => ({ input: { guid: addon.guid, version: '9.0', file: badFile() } }),
    ...{ rule: submits, sameAs: ['PUT /addons/:guid/versions/:version/'] },
  },
  {
    name: 'submitVersion, of an upload by guid',
    source: mutationText('submitVersion'),
    variables: ({ addon, world, role }) => ({
      input: { guid: addon.guid, upload: globalId('Upload', world.waitingUploads[role]) },
    }),
    ...{ rule: submits, sameAs: ['PUT /addons/addon/:guid/'] },
  },
  {
    name: 'submitVersion, of an upload by id',
    source: mutationText('submitVersion'),
    variables: (target) => ({
      input: { addon: addonId(target), upload: globalId('Upload', target.world.waitingUploads[target.role]) },
    }),
    ...{ rule: change(() => AUTHORS), sameAs: ['POST /addons/addon/:addon/versions/'] },
  },
  versionChange(
    'updateVersion',
    versionEdit,
    { approvalNotes: TOO_LONG },
    { sameAs: ['PATCH /addons/addon/:addon/versions/:version_ref/'] },
  ),
  { ...versionChange('deleteVersion', versionEdit), consumes: true },
  versionChange('attachSource', versionEdit, { file: badFile() }, { key: 'version' }),
  review('approveVersion', reviewed()),
  review('rejectVersion', reviewed()),
  review('requestInformation', reviewed()),
  review('referVersion', reviewed()),
  review('commentOnVersion', reviewed()),
  review('replyToReview', reviewed(AUTHORS)),
  review('claimReview', reviewed(), { release: true }),
];

export const OBJECT_MUTATIONS: readonly GraphqlAction[] = MUTATIONS.map((action) => ({
  states: CHANGED_STATES,
  ...action,
}));
