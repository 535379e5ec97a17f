import { isPublicAddon } from '../../auth/public-addon.ts';
import { canReadCode } from '../../auth/review-permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { PackageFile } from '../../package/code/file-changes.ts';
import type { FileText } from '../../package/code/package-files.ts';
import { addonRights } from '../addons/find-addon.ts';
import { versionFacts } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';
import { packageFiles, packageText } from './read-code.ts';

/** More than half of the limit of an operation, so that an operation reads one package or compares two. */
export const CODE_COST = 26_000;
/** Files that a list of them counts as. A large package has some thousand, and no package more than 20,000. */
export const FILE_ITEMS = 2_000;

interface StoredCode {
  versionId: number;
  /** SHA-256 of the package as it was uploaded; null for versions without a package. */
  sha256: string | null;
  isSourcePublic: boolean;
}

const readStored = prepared<StoredCode>(
  lookupPool,
  'code-of-versions',
  `SELECT v.id AS "versionId", a.is_source_public AS "isSourcePublic", (
      SELECT f.original_sha256 FROM file f
      WHERE f.version_id = v.id AND f.is_stored AND f.format <> 'opensearch' ORDER BY f.id LIMIT 1
    ) AS sha256 FROM version v JOIN addon a ON a.id = v.addon_id WHERE v.id = ANY($1)`,
);

const storedCode = perRequest<number, StoredCode | null>(async (ids) => {
  const byVersion = new Map((await readStored(ids)).map((row) => [row.versionId, row]));
  return ids.map((id) => byVersion.get(id) ?? null);
});

/** SHA-256 of the package of a version that the viewer may see; null without one, and for viewers who may not read its code. */
export async function readableCode(
  context: Context,
  { id, addonId }: { id: number; addonId: number },
): Promise<string | null> {
  const [addon, facts, stored] = await Promise.all([
    addonRights(context).load(addonId),
    versionFacts(context).load(id),
    storedCode(context).load(id),
  ]);
  if (stored === null) return null;
  const { channel, stage, deletedAt, hasPublicFiles } = facts;
  const isReleased = channel === 'listed' && stage === 'signed' && hasPublicFiles && deletedAt === null;
  const isPublic = isReleased && addon.deletedAt === null && isPublicAddon(addon);
  const { isSourcePublic, sha256 } = stored;
  return canReadCode(context.viewer, { ...facts, addon, isPublic, isSourcePublic }) ? sha256 : null;
}

const EncodingEnum = enumOf<FileText['encoding']>('TextEncoding', 'The encoding of a text file.', {
  'utf-8': 'UTF-8.',
  'utf-16le': 'UTF-16, little-endian.',
  'utf-16be': 'UTF-16, big-endian.',
});

const FileTextType = builder.objectRef<FileText>('FileText').implement({
  description: 'The text of a file.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'All of it, without a byte order mark. Bytes that are not valid in its encoding are U+FFFD.',
    }),
    encoding: t.expose('encoding', { type: EncodingEnum, description: 'The encoding that it was decoded from.' }),
  }),
});

/** A file of the package with this SHA-256. */
interface FileOfPackage extends PackageFile {
  ofPackage: string;
}

export const PackageFileType = builder.objectRef<FileOfPackage>('PackageFile').implement({
  description: 'A file in a package.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Its path in the package.' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    hash: t.string({ description: 'sha256:<hex> of the bytes.', resolve: ({ sha256 }) => `sha256:${sha256}` }),
    isText: t.exposeBoolean('isText', { description: 'Whether its first 8,000 bytes are those of a text.' }),
    content: t.field({
      type: FileTextType,
      nullable: true,
      description: 'Its text; null for a file that is no text or has more than 512 kB.',
      resolve: ({ ofPackage, path, isText }) => (isText ? packageText(ofPackage, path) : null),
    }),
  }),
});

const PackageContents = builder.objectRef<{ sha256: string }>('PackageContents').implement({
  description: 'The files in the package of a version, as it was uploaded.',
  fields: (t) => ({
    fileCount: t.int({
      description: 'Number of files.',
      resolve: async ({ sha256 }) => (await packageFiles(sha256)).length,
    }),
    size: t.int({
      description: 'Size of all files together, in bytes.',
      resolve: async ({ sha256 }) => (await packageFiles(sha256)).reduce((sum, { size }) => sum + size, 0),
    }),
    files: t.field({
      type: [PackageFileType],
      description: 'All files, by path.',
      extensions: { items: FILE_ITEMS },
      resolve: async ({ sha256 }) => (await packageFiles(sha256)).map((file) => ({ ...file, ofPackage: sha256 })),
    }),
    file: t.field({
      type: PackageFileType,
      nullable: true,
      description: 'One file; null for a path that the package does not have.',
      args: { path: t.arg.string({ required: true, description: 'Path in the package.' }) },
      resolve: async ({ sha256 }, { path }) => {
        const file = (await packageFiles(sha256)).find((each) => each.path === path);
        return file === undefined ? null : { ...file, ofPackage: sha256 };
      },
    }),
  }),
});

builder.objectField(Version, 'contents', (t) =>
  t.field({
    type: PackageContents,
    nullable: true,
    description:
      'The files of its package; null without one, and for viewers who are neither authors of the add-on nor reviewers of its type and channel, unless the version is public and its source, too. An operation reads one package.',
    extensions: { cost: CODE_COST },
    resolve: async (version, _args, context) => {
      const sha256 = await readableCode(context, version);
      return sha256 === null ? null : { sha256 };
    },
  }),
);
