import { canReadSource } from '../../auth/review-permissions.ts';
import { PackageError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { withSharedCopy } from '../../infra/blob-store/verified-copy.ts';
import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import type { SourceLine, SourcePlace } from '../../package/source-excerpts.ts';
import { message } from '../../texts/messages.ts';
import { addonRights } from '../addons/find-addon.ts';
import { readKept } from '../code/kept-results.ts';
import { runCode } from '../code/read-code.ts';
import { versionFacts } from '../versions/find-version.ts';
import type { UploadState } from './load-upload.ts';
import { Upload } from './upload.ts';

/** Places of one request: the messages of one page of a report. */
const MAX_PLACES = 100;

/** More than half of the limit of an operation, so that an operation reads one package. */
const COST = 26_000;

const SourcePlaceInput = builder.inputType('SourcePlaceInput', {
  description: 'A place in a file of a package, as validation messages have it.',
  fields: (t) => ({
    file: t.string({ required: true, description: 'Path in the package.' }),
    line: t.int({ required: true, description: 'Line in the file, from 1.' }),
    column: t.int({ description: 'Column in the line, from 1; long lines are cut around it.' }),
  }),
});

const SourceLineType = builder.objectRef<SourceLine>('SourceLine').implement({
  description: 'A line of a text file. Lengths are in UTF-16 code units.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its number in the file, from 1.' }),
    text: t.exposeString('text', {
      description: 'The line or a part of it, at most 400 units, without the line break.',
    }),
    cutBefore: t.exposeInt('cutBefore', { description: 'How much of the line before the text is left out.' }),
    cutAfter: t.exposeInt('cutAfter', { description: 'How much of the line after the text is left out.' }),
  }),
});

const SourceExcerpt = builder.objectRef<readonly SourceLine[]>('SourceExcerpt').implement({
  description: 'Lines of a file of a package around a place.',
  fields: (t) => ({
    lines: t.field({
      type: [SourceLineType],
      description: 'The line of the place with at most two lines before and after it.',
      resolve: (lines) => lines,
    }),
  }),
});

/** Whether a viewer may read the package of an upload. Before its submission it is the uploader's own. */
async function canReadPackage(context: Context, { accountId, addon, version }: UploadState): Promise<boolean> {
  const { viewer } = context;
  if (viewer.kind === 'anonymous') return false;
  if (addon === null || version.id === null) return viewer.accountId === accountId;
  const [rights, facts] = await Promise.all([
    addonRights(context).load(addon.id),
    versionFacts(context).load(version.id),
  ]);
  return canReadSource(viewer, { ...facts, addon: rights });
}

/** SHA-256 of the package as it was uploaded, which the messages are about. Null when the upload was removed at the same time. */
async function packageOf({ id }: UploadState): Promise<string | null> {
  const [row] = await db.$queryRaw<{ sha256: string | null }[]>`
    SELECT coalesce(u.sha256, (SELECT original_sha256 FROM file WHERE version_id = u.version_id ORDER BY id LIMIT 1)) AS sha256
    FROM upload u WHERE u.id = ${id}`;
  return row?.sha256 ?? null;
}

type Excerpts = readonly (SourceLine[] | null)[];

/**
 * The lines around places in a stored package, in the same order. Null for places outside its text files, and for all of them when
 * the package is lost, damaged or cannot be read. Never rejects: messages are useful without lines.
 */
async function readSourceLines(sha256: string, places: readonly SourcePlace[]): Promise<Excerpts> {
  if (places.length === 0) return [];
  try {
    return await readKept(['excerpts', sha256, places], () =>
      withSharedCopy(sha256, ({ path }) => runCode<Excerpts>({ kind: 'excerpts', path, places })),
    );
  } catch (error) {
    if (!(error instanceof PackageError)) log.warn({ err: error, sha256 }, 'The lines of a package were not read.');
    return places.map(() => null);
  }
}

builder.objectField(Upload, 'sourceExcerpts', (t) =>
  t.field({
    type: [SourceExcerpt],
    nullable: { list: true, items: true },
    description:
      'Lines of the package around places, in the same order; null for places outside its text files and in files above 4 MB. Null for viewers who are neither authors of the add-on nor reviewers of its type and channel, and before the submission for all but the uploader. One operation reads one package.',
    args: {
      places: t.arg({ type: [SourcePlaceInput], required: true, description: 'At most 100 places.' }),
    },
    extensions: { cost: COST },
    resolve: async (upload, { places }, context) => {
      if (places.length > MAX_PLACES)
        throw refusedField('places', message('upload.too_many_places', { max: MAX_PLACES }));
      if (!(await canReadPackage(context, upload))) return null;
      const sha256 = await packageOf(upload);
      if (sha256 === null) return places.map(() => null);
      return readSourceLines(
        sha256,
        places.map(({ column = null, ...place }) => ({ ...place, column })),
      );
    },
  }),
);
