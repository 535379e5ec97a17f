import { builder } from '../../graphql/builder.ts';
import { type StageChanges, watchVersion } from '../../infra/version-stages.ts';
import type { UploadState } from './load-upload.ts';
import { findUpload } from './queries.ts';
import { FINAL_STAGES, STAGES, type Stage } from './stages.ts';
import { Upload } from './upload.ts';

/**
 * The states of an upload as they come: first the present one, then one for every stage, the last being a final one.
 * Ends at once when the present one is final, and when its reader goes away.
 * @throws {NotFoundError} for an unknown upload.
 */
async function watchUpload(pk: string): Promise<AsyncIterableIterator<UploadState>> {
  const changes = watchVersion((await findUpload(pk)).version.id);
  const states = follow(pk, changes);
  const watched: AsyncIterableIterator<UploadState> = {
    next: () => states.next(),
    // A generator that waits for the next change cannot be ended before it comes: end the changes.
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
    for await (const { stage } of changes) {
      const upload = atStage(await findUpload(pk), stage as Stage | null);
      // A change that the state before was already read with: stages follow each other in their order and never return.
      if (STAGES.indexOf(upload.version.stage) <= STAGES.indexOf(shown)) continue;
      shown = upload.version.stage;
      yield upload;
      if (FINAL_STAGES.includes(shown)) return;
    }
  } finally {
    changes.close();
  }
}

/** The upload as it was at a stage that it may have left since: events are about what happened, not about what is. */
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
