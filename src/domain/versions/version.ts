import { builder } from '../../graphql/builder.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { Addon } from '../addons/addon.ts';
import { versionEditUrl, versionPageUrl } from '../addons/addresses.ts';
import { ApplicationEnum, ChannelEnum } from '../addons/enums.ts';
import { Localized } from '../addons/localized.ts';
import { localized } from '../addons/localized-text.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { File } from './file.ts';
import { inLocaleOf, License } from './license.ts';
import { loadVisibleVersions } from './load-versions.ts';

const ApplicationRange = builder.objectRef<VersionDocument['compatibility'][number]>('ApplicationRange').implement({
  description: 'The versions of one application that a version works with.',
  fields: (t) => ({
    app: t.expose('app', { type: ApplicationEnum, description: 'The application.' }),
    min: t.exposeString('min', { description: 'The oldest version, such as 57.0.' }),
    max: t.exposeString('max', { description: 'The newest version, such as 60.* or *.' }),
  }),
});

/** Resolvers of this type may return an id: it is loaded, or an error for viewers without access. */
export const Version = loadableNode<VersionDocument>('Version', loadVisibleVersions);

const addonOf = ({ addonId, addonSlug }: VersionDocument) => ({ id: addonId, slug: addonSlug });

builder.objectType(Version, {
  description: 'A version of an add-on. Its developers and reviewers also see versions that are not public.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    addon: t.field({ type: Addon, description: 'The add-on of the version.', resolve: ({ addonId }) => addonId }),
    version: t.exposeString('version', { description: 'The version number, such as 1.0.2.' }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'How the version is distributed.' }),
    compatibility: t.expose('compatibility', {
      type: [ApplicationRange],
      description: 'The applications that it works with; an empty list means all.',
    }),
    files: t.expose('files', { type: [File], description: 'Its package files, one per platform.' }),
    license: t.field({
      type: License,
      nullable: true,
      description: 'The licence that it is offered under; null when none was chosen.',
      resolve: ({ license, defaultLocale }) => inLocaleOf(license, defaultLocale),
    }),
    releaseNotes: t.field({
      type: Localized,
      nullable: true,
      description: 'What has changed, with HTML; null without a text.',
      resolve: ({ releaseNotes, defaultLocale }) => localized(releaseNotes, defaultLocale, 'html'),
    }),
    reviewed: t.expose('reviewed', {
      type: 'DateTime',
      nullable: true,
      description: 'When a reviewer decided on it; null before that.',
    }),
    isStrictCompatibilityEnabled: t.exposeBoolean('isStrictCompatibilityEnabled', {
      description: 'Whether applications must enforce the newest versions in compatibility.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was uploaded.' }),
    url: t.string({
      description: 'Address of its page.',
      resolve: (version) => versionPageUrl(addonOf(version), version.version),
    }),
    editUrl: t.string({
      description: 'Address at which its developers edit it.',
      resolve: (version) => versionEditUrl(addonOf(version), version.id),
    }),
  }),
});
