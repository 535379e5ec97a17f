import { builder } from '../../graphql/builder.ts';
import { numberedPage } from '../../graphql/connections.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { APPLICATION_IDS } from './application-ids.ts';
import type { CompatOverrideRow, OverriddenApplication, OverriddenVersions } from './find-compat-overrides.ts';
import { listCompatOverrides } from './list-compat-overrides.ts';
import { type NumberedList, pageCountOf, readNames } from './numbered-list.ts';

const CompatOverrideApplication = builder.objectRef<OverriddenApplication>('CompatOverrideApplication').implement({
  fields: (t) => ({
    app: t.expose('app', { type: ApplicationEnum }),
    databaseId: t.int({ description: 'The number of the application.', resolve: ({ app }) => APPLICATION_IDS[app].id }),
    guid: t.string({ description: 'The guid of the application.', resolve: ({ app }) => APPLICATION_IDS[app].guid }),
    minVersion: t.exposeString('minVersion'),
    maxVersion: t.exposeString('maxVersion'),
  }),
});

const CompatOverrideRange = builder.objectRef<OverriddenVersions>('CompatOverrideRange').implement({
  description: 'Versions of an add-on, and the applications whose compatibility with them is changed.',
  fields: (t) => ({
    addonMinVersion: t.exposeString('addonMinVersion'),
    addonMaxVersion: t.exposeString('addonMaxVersion'),
    applications: t.expose('applications', { type: [CompatOverrideApplication] }),
  }),
});

const CompatOverride = builder.objectRef<CompatOverrideRow>('CompatOverride').implement({
  description: 'Lets applications change the compatibility of an installed add-on that stopped working.',
  fields: (t) => ({
    addonId: t.exposeInt('addonId', { nullable: true, description: 'The id that REST uses, if the add-on is known.' }),
    addonGuid: t.exposeString('guid'),
    name: t.exposeString('name', { description: 'A description for administrators.' }),
    versionRanges: t.expose('versionRanges', { type: [CompatOverrideRange] }),
  }),
});

const CompatOverridePage = builder.objectRef<NumberedList<CompatOverrideRow>>('CompatOverridePage').implement({
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Of all pages together.' }),
    page: t.exposeInt('page'),
    pageSize: t.exposeInt('pageSize'),
    pageCount: t.int({ description: 'An empty list has one.', resolve: (list) => pageCountOf(list) }),
    results: t.expose('results', { type: [CompatOverride] }),
  }),
});

builder.queryField('compatOverrides', (t) =>
  t.field({
    type: CompatOverridePage,
    description: 'The compat overrides for add-ons with one of these guids; all of them without guids.',
    args: { guid: t.arg.stringList(), page: t.arg.int(), pageSize: t.arg.int() },
    resolve: (_root, { guid, page, pageSize }) =>
      listCompatOverrides(readNames(guid, 'guid'), numberedPage(page, pageSize)),
  }),
);
