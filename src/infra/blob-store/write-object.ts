/* Writes files to a bucket: small ones with one request, others in parts. The server compares what it receives with checksums. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Bucket, PutCondition } from './bucket.ts';
import { objectChunks } from './object-chunks.ts';

/** A file to store. */
export interface LocalFile {
  path: string;
  /** In bytes. */
  size: number;
  sha256: string;
}

/** Larger files are sent in parts of this size, each of which is sent again on its own. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Writes an object. With `isNew`, one that exists stays as it is, and the result is false.
 * @throws {UnavailableError} also when the server has received other bytes.
 */
export async function writeObject(bucket: Bucket, name: string, file: LocalFile, isNew: boolean): Promise<boolean> {
  const handle = await open(file.path);
  const write = file.size > PART_BYTES ? writeParts : writeWhole;
  try {
    return await bucket.writeIf(isNew, async (condition) => {
      const isConfirmed = await write(bucket, name, handle, file, condition);
      if (!isConfirmed) await readBack(bucket, name, file);
    });
  } finally {
    await handle.close();
  }
}

/** Returns whether the server has confirmed the checksum. */
async function writeWhole(
  bucket: Bucket,
  name: string,
  handle: FileHandle,
  file: LocalFile,
  condition: PutCondition,
): Promise<boolean> {
  const Body = await readAt(handle, 0, file.size);
  const digest = createHash('sha256').update(Body).digest();
  requireUnchanged(digest.toString('hex'), file);
  const ChecksumSHA256 = digest.toString('base64');
  const input = { ...bucket.object(name), Body, ContentLength: file.size, ChecksumSHA256, ...condition };
  const sent = await bucket.send(({ client, sdk }, options) => client.send(new sdk.PutObjectCommand(input), options), {
    bytes: file.size,
  });
  return sent.ChecksumSHA256 === ChecksumSHA256;
}

/** The same for parts, which are sent one after the other. */
async function writeParts(
  bucket: Bucket,
  name: string,
  handle: FileHandle,
  file: LocalFile,
  condition: PutCondition,
): Promise<boolean> {
  const object = bucket.object(name);
  const { UploadId } = await bucket.send(({ client, sdk }, options) =>
    client.send(new sdk.CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: 'SHA256' }), options),
  );
  const upload = { ...object, UploadId };
  try {
    const hash = createHash('sha256');
    const sent: SentPart[] = [];
    for (let start = 0; start < file.size; start += PART_BYTES) {
      const bytes = await readAt(handle, start, Math.min(PART_BYTES, file.size - start));
      hash.update(bytes);
      sent.push(await sendPart(bucket, upload, sent.length + 1, bytes));
    }
    requireUnchanged(hash.digest('hex'), file);
    const isConfirmed = sent.every(({ ChecksumSHA256 }) => ChecksumSHA256 !== undefined);
    const end = { ...upload, MultipartUpload: { Parts: sent }, ...condition };
    // The server puts the parts together before it responds.
    await bucket.send(({ client, sdk }, options) => client.send(new sdk.CompleteMultipartUploadCommand(end), options), {
      bytes: file.size,
    });
    return isConfirmed;
  } catch (error) {
    const abort = bucket.send(({ client, sdk }, options) =>
      client.send(new sdk.AbortMultipartUploadCommand(upload), options),
    );
    await abort.catch(() => {});
    throw error;
  }
}

interface SentPart {
  PartNumber: number;
  ETag?: string | undefined;
  /** Only if the server has confirmed it. */
  ChecksumSHA256?: string | undefined;
}

async function sendPart(
  bucket: Bucket,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  PartNumber: number,
  Body: Buffer,
): Promise<SentPart> {
  const ChecksumSHA256 = createHash('sha256').update(Body).digest('base64');
  const input = { ...upload, PartNumber, Body, ContentLength: Body.length, ChecksumSHA256 };
  const sent = await bucket.send(({ client, sdk }, options) => client.send(new sdk.UploadPartCommand(input), options), {
    bytes: Body.length,
  });
  const isConfirmed = sent.ChecksumSHA256 === ChecksumSHA256;
  return { PartNumber, ETag: sent.ETag, ChecksumSHA256: isConfirmed ? ChecksumSHA256 : undefined };
}

/** For a server that does not confirm checksums. @throws when it has other bytes. */
async function readBack(bucket: Bucket, name: string, { sha256 }: LocalFile): Promise<void> {
  const opened = await bucket.read(name);
  const hash = createHash('sha256');
  if (opened !== null) for await (const chunk of objectChunks(bucket, name, opened)) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new Error(`the bucket has other bytes than were sent as ${name}`);
}

function requireUnchanged(hash: string, { path, sha256 }: LocalFile): void {
  if (hash !== sha256) throw new Error(`${path} changed while it was sent`);
}

async function readAt(handle: FileHandle, start: number, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await handle.read(buffer, done, size - done, start + done);
    if (bytesRead === 0) throw new Error('the file became shorter while it was sent');
    done += bytesRead;
  }
  return buffer;
}
