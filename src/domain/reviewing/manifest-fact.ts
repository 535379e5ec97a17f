import { builder, enumOf } from '../../graphql/builder.ts';
import type { ManifestFact, ManifestSubject, ManifestValue } from '../../package/code/manifest-facts.ts';

const DESCRIPTIONS: Record<ManifestSubject, string> = {
  'manifest-version': 'The version of the format, `manifest_version`.',
  background: 'Scripts and pages that run in the background.',
  'content-scripts': 'Scripts and style sheets that run in web pages.',
  'content-security-policy': 'What its own pages may load, `content_security_policy`.',
  'web-accessible-resources': 'Its files that web pages may load.',
  'messages-from': 'Web pages and add-ons that may send messages to it, `externally_connectable`.',
  'replaced-pages': 'Pages of browsers that it replaces, `chrome_url_overrides`.',
  'replaced-settings': 'Settings of browsers that it replaces, `chrome_settings_overrides`.',
  'own-pages': 'Its pages behind buttons, for options and in tools.',
  protocols: 'Protocols that it handles.',
  'request-rules': 'Files of rules for requests, `declarative_net_request`.',
  experiments: 'Interfaces that it adds to browsers, `experiment_apis`.',
  'update-address': 'Where browsers look for its updates, `update_url`.',
};

/** Number of subjects, each of which a manifest has at most once. */
export const SUBJECT_COUNT = Object.keys(DESCRIPTIONS).length;

const ManifestSubjectEnum = enumOf<ManifestSubject>(
  'ManifestSubject',
  'What a value of a manifest is about.',
  DESCRIPTIONS,
);

const ManifestChangeEnum = enumOf<NonNullable<ManifestValue['change']>>(
  'ManifestChange',
  'How a value of two manifests differs.',
  { added: 'Only the second manifest has it.', deleted: 'Only the first manifest has it.' },
);

const ManifestValueType = builder.objectRef<ManifestValue>('ManifestValue').implement({
  description: 'A value of a manifest.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Paths, addresses or names, with their key where there are several.' }),
    matches: t.exposeStringList('matches', {
      description: 'Patterns of the addresses that it is about, and ids of add-ons; empty where there are none.',
    }),
    change: t.expose('change', {
      type: ManifestChangeEnum,
      nullable: true,
      description: 'How it differs from the base version; null when both have it, and without a base version.',
    }),
  }),
});

/** More than a manifest has, for the cost of the list of its subjects and values. */
const VALUES = 30;

export const ManifestFactType = builder.objectRef<ManifestFact>('ManifestFact').implement({
  description: 'What a manifest says about a subject.',
  fields: (t) => ({
    subject: t.expose('subject', { type: ManifestSubjectEnum, description: 'What its values are about.' }),
    values: t.expose('values', {
      type: [ManifestValueType],
      description: `At most ${VALUES} values, those that differ first.`,
      extensions: { items: VALUES },
    }),
    isCut: t.exposeBoolean('isCut', { description: 'Whether values, addresses or ends of long texts are left out.' }),
  }),
});
