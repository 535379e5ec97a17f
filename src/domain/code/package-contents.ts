import { isPublicAddon } from '../../auth/public-addon.ts';
import { canReadCode } from '../../auth/review-permissions.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { PackageFile } from '../../package/code/file-changes.ts';
import type { KnownLibrary } from '../../package/code/known-libraries.ts';
import { addonRights } from '../addons/find-addon.ts';
import { versionFacts } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';
import { FilePictureType, filePicture } from './file-picture.ts';
import { FileTextType } from './file-text.ts';
import { archiveFiles, type CodeArchive, packageArchive } from './read-code.ts';
import { formattedText, shownText } from './shown-text.ts';

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

/** A file with its archive. */
interface FileOfArchive extends PackageFile {
  archive: CodeArchive;
}

const KnownLibraryType = builder.objectRef<KnownLibrary>('KnownLibrary').implement({
  description: 'A published library.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Such as jquery.' }),
    version: t.exposeString('version', { description: 'Such as 3.6.0.' }),
  }),
});

export const PackageFileType = builder.objectRef<FileOfArchive>('PackageFile').implement({
  description: 'A file in a package.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Its path in the package.' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    hash: t.string({ description: 'sha256:<hex> of the bytes.', resolve: ({ sha256 }) => `sha256:${sha256}` }),
    isText: t.exposeBoolean('isText', { description: 'Whether its first 8,000 bytes are those of a text.' }),
    library: t.expose('library', {
      type: KnownLibraryType,
      nullable: true,
      description: 'The library of which it is an unchanged file, by the list of the validator; null for other files.',
    }),
    picture: t.field({
      type: FilePictureType,
      nullable: true,
      description:
        'The picture in it; null for a file that is no PNG, JPEG, GIF or WebP, has more than 4 MB or cannot be decoded.',
      resolve: ({ archive, ...file }) => filePicture(archive, file),
    }),
    content: t.field({
      type: FileTextType,
      nullable: true,
      description: 'Its text; null for a file that is no text or has more than 512 kB.',
      args: {
        isFormatted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether scripts, style sheets and JSON get lines and indents, for minified files. Files that cannot be formatted keep theirs.',
        }),
      },
      resolve: async ({ archive, ...file }, { isFormatted }) => {
        const shown = await shownText(archive, file);
        return isFormatted && shown !== null ? ((await formattedText(shown)) ?? shown) : shown;
      },
    }),
  }),
});

export const PackageContents = builder.objectRef<CodeArchive>('PackageContents').implement({
  description: 'The files in a package, or in an archive of source code, as it was uploaded.',
  fields: (t) => ({
    fileCount: t.int({
      description: 'Number of files.',
      resolve: async (archive) => (await archiveFiles(archive)).length,
    }),
    size: t.int({
      description: 'Size of all files together, in bytes.',
      resolve: async (archive) => (await archiveFiles(archive)).reduce((sum, { size }) => sum + size, 0),
    }),
    files: t.field({
      type: [PackageFileType],
      description: 'All files, by path.',
      extensions: { items: FILE_ITEMS },
      resolve: async (archive) => (await archiveFiles(archive)).map((file) => ({ ...file, archive })),
    }),
    file: t.field({
      type: PackageFileType,
      nullable: true,
      description: 'One file; null for a path that the package does not have.',
      args: { path: t.arg.string({ required: true, description: 'Path in the package.' }) },
      resolve: async (archive, { path }) => {
        const file = (await archiveFiles(archive)).find((each) => each.path === path);
        return file === undefined ? null : { ...file, archive };
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
      return sha256 === null ? null : packageArchive(sha256);
    },
  }),
);
