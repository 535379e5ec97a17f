import { builder } from '../../graphql/builder.ts';
import { pageArguments, positionConnection, reachableFields } from '../../graphql/connections.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { APPLICATION_IDS } from '../../package/enums.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import {
  type CompatOverrideRow,
  listCompatOverrides,
  loadCompatOverrides,
  type OverriddenApplication,
  type OverriddenVersions,
} from './find-compat-overrides.ts';
import { readNames } from './read-names.ts';

const CompatOverrideApplication = builder.objectRef<OverriddenApplication>('CompatOverrideApplication').implement({
  description: 'The versions of one application in which an add-on does not work.',
  fields: (t) => ({
    app: t.expose('app', { type: ApplicationEnum, description: 'The application.' }),
    databaseId: t.int({
      description: 'The number of the application in REST.',
      resolve: ({ app }) => APPLICATION_IDS[app].id,
    }),
    guid: t.string({
      description: 'The id of the application in manifests.',
      resolve: ({ app }) => APPLICATION_IDS[app].guid,
    }),
    minVersion: t.exposeString('minVersion', { description: 'The oldest version of the application.' }),
    maxVersion: t.exposeString('maxVersion', { description: 'The newest version of the application.' }),
  }),
});

const CompatOverrideRange = builder.objectRef<OverriddenVersions>('CompatOverrideRange').implement({
  description: 'Versions of an add-on, and the applications in which they do not work.',
  fields: (t) => ({
    addonMinVersion: t.exposeString('addonMinVersion', { description: 'The oldest version of the add-on.' }),
    addonMaxVersion: t.exposeString('addonMaxVersion', { description: 'The newest version of the add-on.' }),
    applications: t.expose('applications', {
      type: [CompatOverrideApplication],
      description: 'The applications in which these versions do not work.',
    }),
  }),
});

export const CompatOverride = loadableNode<CompatOverrideRow>('CompatOverride', loadCompatOverrides);

builder.objectType(CompatOverride, {
  description: 'Changes the compatibility of an installed add-on that stopped working in new application versions.',
  fields: (t) => ({
    addonDatabaseId: t.exposeInt('addonId', {
      nullable: true,
      description: 'The id of the add-on in REST; null when no add-on has the guid.',
    }),
    addonGuid: t.exposeString('guid', { description: 'The guid of the add-on, which need not exist here.' }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null when none has the guid or the viewer may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
    name: t.exposeString('name', { description: 'Description by the operator.' }),
    versionRanges: t.expose('versionRanges', {
      type: [CompatOverrideRange],
      description: 'The versions that do not work, in the order of their entry.',
    }),
  }),
});

builder.queryField('compatOverrides', (t) =>
  t.connection(
    {
      type: CompatOverride,
      description: 'Compat overrides in the order of their entry.',
      args: {
        guids: t.arg.stringList({
          description: 'Only overrides for add-ons with one of these guids, in any case. At most 500.',
        }),
        ...pageArguments,
      },
      resolve: (_root, { guids, ...paging }) => {
        const names = readNames(guids, 'guids');
        return positionConnection('compatOverrides', paging, (slice) => listCompatOverrides(names, slice));
      },
    },
    { name: 'CompatOverrideConnection', fields: (t) => reachableFields(t) },
    { name: 'CompatOverrideEdge' },
  ),
);
