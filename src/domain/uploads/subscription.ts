import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { textKeyOf } from '../../graphql/global-id.ts';
import { type StageChanges, watchStages } from '../../infra/version-stages.ts';
import { FINAL_STAGES, STAGES, type Stage } from '../addons/stages.ts';
import type { UploadState } from './load-upload.ts';
import { findUpload } from './queries.ts';
import { Upload } from './upload.ts';

/** What an upload follows now: its own stages until it is submitted, then those of its version. */
interface Watch {
  versionId: number | null;
  changes: StageChanges;
  isClosed: boolean;
}

function startWatch({ id, version }: UploadState): Watch {
  const changes = watchStages(version.id === null ? { uploadId: id } : { versionId: version.id });
  return { versionId: version.id, changes, isClosed: false };
}

/**
 * Yields the current state of an upload, then one state for each stage it enters. Ends after a final stage, when the upload
 * expires, or when the subscriber disconnects.
 * @throws {NotFoundError} for an unknown upload.
 */
async function watchUpload(pk: string): Promise<AsyncIterableIterator<UploadState>> {
  const watch = startWatch(await findUpload(pk));
  const states = follow(pk, watch);
  const watched: AsyncIterableIterator<UploadState> = {
    next: () => states.next(),
    // `return` of a generator waits for its pending `next`, so the source ends first.
    return: () => {
      watch.isClosed = true;
      watch.changes.close();
      return states.return(undefined);
    },
    [Symbol.asyncIterator]: () => watched,
  };
  return watched;
}

async function* follow(pk: string, watch: Watch): AsyncGenerator<UploadState, undefined> {
  let shown: Stage | null = null;
  try {
    for (let isFirst = true; isFirst || !watch.isClosed; isFirst = false) {
      if (!isFirst) await watchAgain(watch, pk);
      for await (const upload of statesOf(pk, watch)) {
        const { stage } = upload.version;
        // An earlier read already included this change: stages only advance in their order.
        if (shown !== null && STAGES.indexOf(stage) <= STAGES.indexOf(shown)) continue;
        shown = stage;
        yield upload;
        if (FINAL_STAGES.includes(stage)) return;
      }
    }
  } catch (error) {
    // It expired or was replaced by newer uploads of its account.
    if (!(error instanceof NotFoundError)) throw error;
  } finally {
    watch.changes.close();
  }
}

/** Follows the version of an upload that was submitted. */
async function watchAgain(watch: Watch, pk: string): Promise<void> {
  watch.changes.close();
  const { versionId, changes } = startWatch(await findUpload(pk));
  Object.assign(watch, { versionId, changes });
  if (watch.isClosed) changes.close();
}

/** The state of the upload now and after each change, until it follows other changes than `watch` does. */
async function* statesOf(pk: string, watch: Watch): AsyncGenerator<UploadState, undefined> {
  for await (const stage of watch.changes) {
    const upload = await findUpload(pk);
    if (upload.version.id !== watch.versionId) return;
    yield atStage(upload, stage as Stage | null);
  }
}

/** The upload at the stage of an event, which it may have left since. */
function atStage(upload: UploadState, stage: Stage | null): UploadState {
  if (stage === null || stage === upload.version.stage) return upload;
  return { ...upload, version: { ...upload.version, stage, reason: null } };
}

builder.subscriptionField('uploadChanged', (t) =>
  t.field({
    type: Upload,
    description:
      'The upload: first in its current state, then after every change of stage. A final stage ends the stream, and so does the expiry of an upload that is not submitted. Open to everyone who has the id.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the upload.' }) },
    subscribe: (_root, { id }) => watchUpload(textKeyOf('Upload', String(id), 'id')),
    resolve: (upload) => upload,
  }),
);
