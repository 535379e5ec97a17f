import type { BucketEntry } from './bucket.ts';
import type { ListedObject } from './stored-objects.ts';

/** As in the folder, with the generation of those that are not the first. */
const OBJECT = /^[0-9a-f]{2}\/([0-9a-f]{64})(?:\.(\d{1,9}))?$/;

/** The name of the object with a blob. No name is used twice (docs/decisions.md D131). */
export const objectName = (sha256: string, generation: number): string =>
  `${sha256.slice(0, 2)}/${sha256}${generation === 0 ? '' : `.${generation}`}`;

/** The blobs of objects, without other objects, such as the marker. */
export function blobsOf(entries: readonly BucketEntry[]): (ListedObject & { modified: Date })[] {
  return entries.flatMap(({ name, size, modified }) => {
    const [, sha256, generation = '0'] = OBJECT.exec(name) ?? [];
    return sha256 === undefined ? [] : [{ sha256, generation: Number(generation), size, modified }];
  });
}
