import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { Localized } from '../../graphql/localized.ts';
import { versionEditPage, versionPage } from '../addons/addresses.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { ChannelEnum } from './channel.ts';
import { File } from './file.ts';
import { versionFacts } from './find-version.ts';
import { inLocaleOf, License } from './license.ts';
import { loadVisibleVersions } from './load-versions.ts';

const ApplicationRange = builder.objectRef<VersionDocument['compatibility'][number]>('ApplicationRange').implement({
  description: 'The versions of an application that a version works with.',
  fields: (t) => ({
    app: t.expose('app', { type: ApplicationEnum }),
    min: t.exposeString('min'),
    max: t.exposeString('max'),
  }),
});

/** An id of a version where fields of this type are resolved is loaded, if the viewer may see it; else it is an error. */
export const Version = loadableNode<VersionDocument>('Version', loadVisibleVersions);

/** Makes the rest of a request see what a mutation in it has changed. */
export function forgetVersion(context: Context, id: number): void {
  versionFacts(context).clear(id);
  Version.getDataloader(context).clear(id);
}

const addonOf = ({ addonId, addonSlug }: VersionDocument) => ({ id: addonId, slug: addonSlug });

builder.objectType(Version, {
  description: 'A version of an add-on.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id that REST uses.' }),
    version: t.exposeString('version'),
    channel: t.expose('channel', { type: ChannelEnum }),
    compatibility: t.expose('compatibility', {
      type: [ApplicationRange],
      description: 'None: works with every application.',
    }),
    files: t.expose('files', { type: [File] }),
    license: t.field({
      type: License,
      nullable: true,
      resolve: ({ license, defaultLocale }) => inLocaleOf(license, defaultLocale),
    }),
    releaseNotes: t.field({
      type: Localized,
      nullable: true,
      resolve: ({ releaseNotes, defaultLocale }) =>
        releaseNotes === null ? null : { texts: releaseNotes, defaultLocale },
    }),
    reviewed: t.expose('reviewed', { type: 'DateTime', nullable: true }),
    isStrictCompatibilityEnabled: t.exposeBoolean('isStrictCompatibilityEnabled'),
    created: t.expose('created', { type: 'DateTime' }),
    url: t.string({ description: 'Its page.', resolve: (version) => versionPage(addonOf(version), version.version) }),
    editUrl: t.string({
      description: 'Where its developers edit it.',
      resolve: (version) => versionEditPage(addonOf(version), version.id),
    }),
  }),
});
