import type { Reconciliation } from './blob-store.ts';
import type { Bucket } from './bucket.ts';
import { blobsOf, objectName } from './object-names.ts';
import { forgetRemoved, recordObjects, staleObjects } from './stored-objects.ts';

/**
 * Lists a bucket and compares it with the rows: objects without a row get one, and objects that interrupted removals have left are removed,
 * as are the parts of interrupted uploads. @throws {UnavailableError}
 */
export async function reconcileBucket(bucket: Bucket): Promise<Reconciliation> {
  const done: Reconciliation = { recorded: 0, removed: 0 };
  for await (const page of bucket.list()) {
    const found = blobsOf(page);
    done.recorded += await recordObjects(found);
    for (const { sha256, generation } of await staleObjects(found)) {
      await bucket.remove(objectName(sha256, generation));
      done.removed += 1;
    }
  }
  await bucket.abortAbandoned();
  await forgetRemoved();
  return done;
}
