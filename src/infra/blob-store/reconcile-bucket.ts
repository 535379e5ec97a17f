import type { Reconciliation } from './blob-store.ts';
import { type Bucket, storeUnavailable } from './bucket.ts';
import { blobsOf, forgetRemoved, objectName, recordObjects, staleObjects } from './stored-objects.ts';

/** Parts of an upload that a killed process did not end are removed after this time, in milliseconds. */
const ABANDONED_MS = 24 * 3_600_000;

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
  await abortAbandoned(bucket);
  await forgetRemoved();
  return done;
}

/** Removes the parts of uploads that were not ended within a day, by default. @throws {UnavailableError} */
export async function abortAbandoned(
  bucket: Bucket,
  { olderThanMs = ABANDONED_MS, pageSize = 1_000 } = {},
): Promise<void> {
  let after: string | undefined;
  do {
    const { Uploads = [], IsTruncated } = await listUploads(bucket, pageSize, after);
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Date.now() - (Initiated?.getTime() ?? Date.now()) < olderThanMs) continue;
      const abandoned = { ...bucket.object(''), Key, UploadId };
      await bucket
        .send(({ client, sdk }, options) => client.send(new sdk.AbortMultipartUploadCommand(abandoned), options))
        .catch(rethrow);
    }
    // Not every server accepts the id of an upload as a marker. So the last name, whose other uploads may follow, is listed again, unless it
    // has the whole page; then the next run goes on with it.
    const names = [...new Set(Uploads.map(({ Key }) => Key))];
    after = IsTruncated ? (names.at(-2) ?? names.at(-1)) : undefined;
  } while (after !== undefined);
}

function listUploads(bucket: Bucket, MaxUploads: number, KeyMarker: string | undefined) {
  const { Bucket, Key: Prefix } = bucket.object('');
  const input = { Bucket, Prefix, MaxUploads, KeyMarker };
  return bucket
    .send(({ client, sdk }, options) => client.send(new sdk.ListMultipartUploadsCommand(input), options))
    .catch(rethrow);
}

function rethrow(error: unknown): never {
  throw storeUnavailable('file.not_read', error);
}
