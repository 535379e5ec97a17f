import { canReadSource } from '../../auth/review-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { sourceDownloadUrl } from '../addons/addresses.ts';
import { addonRights } from '../addons/find-addon.ts';
import { versionFacts } from './find-version.ts';
import { Version } from './version.ts';

/** The source code of a version; `size` is in bytes. */
export interface VersionSource {
  versionId: number;
  addonId: number;
  name: string;
  size: number;
  sha256: string;
  created: Date;
}

const readSources = prepared<VersionSource>(
  lookupPool,
  'version-sources',
  `SELECT s.version_id AS "versionId", v.addon_id AS "addonId", s.name, s.size::int AS size, s.sha256, s.created
    FROM version_source s JOIN version v ON v.id = s.version_id WHERE s.version_id = ANY($1)`,
);

/** Source code by version id, without access checks; null for versions without one. */
const sourcesOf = perRequest<number, VersionSource | null>(async (ids) => {
  const byVersion = new Map((await readSources(ids)).map((row) => [row.versionId, row]));
  return ids.map((id) => byVersion.get(id) ?? null);
});

/** The source code of a version. Its viewers may read it. */
export const VersionSourceType = builder.objectRef<VersionSource>('VersionSource').implement({
  description: 'The archive of source code that the developers of a version attached for its reviewers.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the file, as its sender gave it.' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    hash: t.string({ description: 'sha256:<hex> of the bytes.', resolve: ({ sha256 }) => `sha256:${sha256}` }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was attached.' }),
    url: t.string({
      description: 'Address of the download, which requires credentials. Downloads by reviewers are in the audit log.',
      resolve: ({ addonId, versionId }) => sourceDownloadUrl(addonId, versionId),
    }),
  }),
});

builder.objectField(Version, 'source', (t) =>
  t.field({
    type: VersionSourceType,
    nullable: true,
    description:
      'The attached source code; null without one, and for viewers who are neither authors of the add-on nor reviewers of the channel.',
    resolve: async ({ id, addonId }, _args, context) => {
      if (context.viewer.kind === 'anonymous') return null;
      const [addon, facts] = await Promise.all([addonRights(context).load(addonId), versionFacts(context).load(id)]);
      return canReadSource(context.viewer, { ...facts, addon }) ? sourcesOf(context).load(id) : null;
    },
  }),
);
