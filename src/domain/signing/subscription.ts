import { builder } from '../../graphql/builder.ts';
import { type StageChanges, watchVersion } from '../../infra/version-stages.ts';
import type { UploadState } from './load-upload.ts';
import { findUpload } from './queries.ts';
import { FINAL_STAGES, STAGES, type Stage } from './stages.ts';
import { Upload } from './upload.ts';

/**
 * Yields the current state of an upload, then one state for each stage it enters. Ends after a final stage or when the
 * subscriber disconnects.
 * @throws {NotFoundError} for an unknown upload.
 */
async function watchUpload(pk: string): Promise<AsyncIterableIterator<UploadState>> {
  const changes = watchVersion((await findUpload(pk)).version.id);
  const states = follow(pk, changes);
  const watched: AsyncIterableIterator<UploadState> = {
    next: () => states.next(),
    // `return` of a generator waits for its pending `next`, so the source ends first.
    return: () => {
      changes.close();
      return states.return(undefined);
    },
    [Symbol.asyncIterator]: () => watched,
  };
  return watched;
}

async function* follow(pk: string, changes: StageChanges): AsyncGenerator<UploadState, undefined> {
  try {
    await changes.listening;
    const present = await findUpload(pk);
    let shown = present.version.stage;
    yield present;
    if (FINAL_STAGES.includes(shown)) return;
    for await (const [stage] of changes) {
      const upload = atStage(await findUpload(pk), stage as Stage | null);
      // The previous read already included this change: stages only advance in their order.
      if (STAGES.indexOf(upload.version.stage) <= STAGES.indexOf(shown)) continue;
      shown = upload.version.stage;
      yield upload;
      if (FINAL_STAGES.includes(shown)) return;
    }
  } finally {
    changes.close();
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
      'The upload: first in its current state, then after every change of stage. A final stage ends the stream. Open to everyone who has the pk.',
    args: { pk: t.arg.string({ required: true, description: 'Identifier of the upload.' }) },
    subscribe: (_root, { pk }) => watchUpload(pk),
    resolve: (upload) => upload,
  }),
);
