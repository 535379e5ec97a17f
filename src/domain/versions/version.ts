import { builder } from '../../graphql/builder.ts';
import { Localized } from '../../graphql/localized.ts';
import { type Application, ApplicationEnum } from '../addons/enums.ts';
import { localized } from '../addons/localized-text.ts';
import type { Channel } from '../signing/stages.ts';
import { ChannelEnum } from './channel.ts';
import { File } from './file.ts';
import { findVisibleVersion } from './find-version.ts';

interface Range {
  app: string;
  min: string;
  max: string;
}

const ApplicationRange = builder.objectRef<Range>('ApplicationRange').implement({
  description: 'The versions of an application that a version works with.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, resolve: (range) => range.app as Application }),
    min: t.exposeString('min'),
    max: t.exposeString('max'),
  }),
});

builder.prismaNode('Version', {
  description: 'A version of an add-on.',
  id: { field: 'id' },
  findUnique: (id, { viewer }) => findVisibleVersion(viewer, Number(id)),
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id that REST uses.' }),
    version: t.exposeString('version'),
    channel: t.field({ type: ChannelEnum, select: { channel: true }, resolve: ({ channel }) => channel as Channel }),
    compatibility: t.field({
      type: [ApplicationRange],
      select: { compatibility: { orderBy: { app: 'asc' } } },
      resolve: (version) => version.compatibility,
    }),
    files: t.field({
      type: [File],
      select: { files: { orderBy: { id: 'asc' } } },
      resolve: (version) => version.files,
    }),
    license: t.relation('license', { nullable: true }),
    releaseNotes: t.field({
      type: Localized,
      nullable: true,
      select: { releaseNotes: true, addon: { select: { defaultLocale: true } } },
      resolve: ({ releaseNotes, addon }) => localized(releaseNotes, addon.defaultLocale),
    }),
    reviewed: t.expose('reviewed', { type: 'DateTime', nullable: true }),
    isStrictCompatibilityEnabled: t.exposeBoolean('isStrictCompatibilityEnabled'),
    created: t.expose('created', { type: 'DateTime' }),
  }),
});
