import { EventEmitter, on } from 'node:events';
import { addSubscriber, isListening, type Subscriber } from './notifications.ts';

/** A new stage of a watched version or upload; null: read it, because changes may be lost, or an upload was submitted or removed. */
type WatchedStage = string | null;

/** Ends after `close`, also for a consumer that waits. */
export interface StageChanges extends AsyncIterable<WatchedStage> {
  close(): void;
}

/** Emits each change under the key of its version or upload. */
const stages = new EventEmitter().setMaxListeners(0);

const keyOf = ({ versionId, uploadId }: { versionId?: number; uploadId?: number }): string =>
  versionId === undefined ? `upload ${uploadId}` : `version ${versionId}`;

/** The triggers of `prisma/definitions/stage-notifications.sql` notify of every change, in the order of the commits. */
const announced: Subscriber = {
  notify: (payload) => {
    const { stage, ...ids } = JSON.parse(payload) as { versionId?: number; uploadId?: number; stage: WatchedStage };
    stages.emit(keyOf(ids), stage);
  },
  restart: () => {
    // `on` listens to errors, too.
    for (const name of stages.eventNames()) if (name !== 'error') stages.emit(name, null);
  },
};

/**
 * Watches a version, or an upload that is not submitted. The first change is null, once the database announces changes: later ones
 * are newer than a read of the version after it. The caller must call `close`.
 */
export function watchStages(watched: { versionId: number } | { uploadId: number }): StageChanges {
  const events = on(stages, keyOf(watched)) as AsyncIterableIterator<[WatchedStage]>;
  addSubscriber('version_stage', announced);
  async function* changes(): AsyncGenerator<WatchedStage, undefined> {
    if (isListening()) yield null;
    for await (const [stage] of events) yield stage;
  }
  return Object.assign(changes(), { close: () => void events.return?.() });
}
