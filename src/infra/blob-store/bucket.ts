/*
 * Requests to a bucket with the S3 API. Every request has a deadline, and a breaker refuses requests for a while after several failures, so
 * that an outage of the bucket does not fill the process with waiting requests. The library is loaded with the first request.
 */
import type { Readable } from 'node:stream';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { UnavailableError } from '../../errors.ts';
import { type Message, message } from '../../texts/messages.ts';
import { Breaker, BreakerOpenError } from '../breaker.ts';
import { log } from '../log.ts';
import type { PublicHeaders } from './blob-store.ts';

export interface BucketSettings {
  bucket: string;
  /** Unset: Amazon S3. */
  endpoint?: string | undefined;
  /** Address of the server for clients. */
  publicEndpoint?: string | undefined;
  region: string;
  /** Unset: those that the library finds. */
  credentials?: S3ClientConfig['credentials'] | undefined;
  forcePathStyle: boolean;
  /** Start of all names, with a slash at its end unless it is empty. */
  prefix: string;
  /** Deadline of a request without the time that its bytes take, in milliseconds. */
  timeoutMs?: number;
}

/** The start of a response with bytes. */
export interface ObjectPart {
  body: Readable;
  /** In bytes, of the whole object. */
  size: number;
  etag: string;
  /** Distinguishes an object from one that replaces it, also if that has the ETag of the bytes that the first one should have. */
  state: string;
}

export interface BucketEntry {
  name: string;
  size: number;
  modified: Date;
}

const TIMEOUT_MS = 5_000;
/** The slowest transfer that a deadline allows. */
const BYTES_PER_MS = 500;
const MAX_ATTEMPTS = 3;
/** Connections of one process; further requests wait for one, within their deadlines. */
const MAX_CONNECTIONS = 64;
/** `Retry-After` of a file that cannot be read or stored. */
const RETRY_S = 10;
const PUBLIC_URL_S = 300;

const BREAKER_RULES = { failures: 5, withinMs: 10_000, openMs: 5_000 };

/** The server does not know what a header or an operation means. */
const UNSUPPORTED = new Set(['NotImplemented', 'MethodNotAllowed', 'InvalidArgument', 'InvalidRequest']);

type Sdk = typeof import('@aws-sdk/client-s3');

interface Loaded {
  sdk: Sdk;
  client: S3Client;
}

export class Bucket {
  readonly #settings: BucketSettings;
  readonly #timeoutMs: number;
  readonly #breaker: Breaker;
  #loaded: Promise<Loaded> | undefined;
  /** Whether the server accepts `If-None-Match: *` for new objects. */
  #isConditional = true;

  constructor(settings: BucketSettings) {
    this.#settings = settings;
    this.#timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
    this.#breaker = new Breaker(BREAKER_RULES, isOutage, (isOpen, error) => {
      if (isOpen) log.error({ err: error, bucket: settings.bucket }, 'Requests to the bucket fail.');
      else log.info({ bucket: settings.bucket }, 'The bucket responds again.');
    });
  }

  get location(): string {
    const { endpoint, bucket, prefix } = this.#settings;
    return `${endpoint ?? 's3:/'}/${bucket}/${prefix}`;
  }

  /**
   * Opens an object, or a part of it; null when it does not exist, or is not the one with the given ETag. The body may break.
   * @throws {UnavailableError} when the server does not respond in time.
   */
  async read(name: string, { start = 0, end = '' as number | '', etag = '' } = {}): Promise<ObjectPart | null> {
    const Range = start > 0 || end !== '' ? `bytes=${start}-${end}` : undefined;
    const input = { ...this.object(name), Range, ...(etag !== '' && { IfMatch: etag }) };
    const found = await this.#unlessMissing(
      this.send(({ client, sdk }, options) => client.send(new sdk.GetObjectCommand(input), options)),
    );
    if (found === null) return null;
    const size = Number(found.ContentRange?.split('/')[1] ?? found.ContentLength);
    return { body: found.Body as Readable, size, etag: found.ETag ?? '', state: stateOf(found) };
  }

  /** Size and state of an object; null when it does not exist. @throws {UnavailableError} */
  async head(name: string): Promise<{ size: number; state: string } | null> {
    const found = await this.#unlessMissing(
      this.send(({ client, sdk }, options) => client.send(new sdk.HeadObjectCommand(this.object(name)), options)),
    );
    return found && { size: Number(found.ContentLength), state: stateOf(found) };
  }

  /** Removes an object, which may be missing. @throws {UnavailableError} when the server does not confirm that. */
  async remove(name: string): Promise<void> {
    await this.#unlessMissing(
      this.send(({ client, sdk }, options) => client.send(new sdk.DeleteObjectCommand(this.object(name)), options)),
    );
  }

  /** All objects, or those whose names begin with `start`, in pages. @throws {UnavailableError} */
  async *list(start = '', pageSize = 1_000): AsyncGenerator<BucketEntry[]> {
    const { bucket: Bucket, prefix } = this.#settings;
    let ContinuationToken: string | undefined;
    do {
      const input = { Bucket, Prefix: prefix + start, MaxKeys: pageSize, ContinuationToken };
      const page = await this.send(({ client, sdk }, options) =>
        client.send(new sdk.ListObjectsV2Command(input), options),
      ).catch(rethrowNotRead);
      yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date() }) => ({
        ...{ name: Key.slice(prefix.length), size: Size, modified: LastModified },
      }));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  /** Reads a small text; null when it does not exist. @throws {UnavailableError} */
  async readText(name: string): Promise<string | null> {
    const text = await this.#unlessMissing(
      this.send(async ({ client, sdk }, options) => {
        const { Body } = await client.send(new sdk.GetObjectCommand(this.object(name)), options);
        return Body?.transformToString();
      }),
    );
    return text?.trim() ?? null;
  }

  /** Writes a small text. With `isNew`, one that exists stays as it is. @throws {UnavailableError} */
  async writeText(name: string, text: string, isNew: boolean): Promise<void> {
    await this.writeIf(isNew, (condition) => {
      const input = { ...this.object(name), Body: Buffer.from(`${text}\n`), ...condition };
      return this.send(({ client, sdk }, options) => client.send(new sdk.PutObjectCommand(input), options));
    });
  }

  /**
   * Writes an object with `write`, which gets the condition of the request. With `isNew`, an object that exists stays as it is, if the
   * server can compare; the result is false then. @throws {UnavailableError}
   */
  async writeIf(isNew: boolean, write: (condition: PutCondition) => Promise<unknown>): Promise<boolean> {
    const isConditional = isNew && this.#isConditional;
    try {
      await write(isConditional ? { IfNoneMatch: '*' } : {});
      return true;
    } catch (error) {
      if (isConditional && statusOf(error) === 412) return false;
      if (!isConditional || !UNSUPPORTED.has(codeOf(error))) throw storeUnavailable('file.not_stored', error);
      this.#isConditional = false;
      return this.writeIf(isNew, write);
    }
  }

  /** An address of an object with its headers, valid for some minutes. Makes no request. */
  async publicUrl(name: string, headers: PublicHeaders): Promise<string> {
    const { sdk } = await this.#load();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    this.#publicClient ??= new sdk.S3Client(this.#clientSettings(this.#settings.publicEndpoint));
    const command = new sdk.GetObjectCommand({
      ...this.object(name),
      ResponseContentType: headers.contentType,
      ResponseContentDisposition: headers.disposition,
    });
    return getSignedUrl(this.#publicClient, command, { expiresIn: PUBLIC_URL_S });
  }

  #publicClient: S3Client | undefined;

  /** Bucket and key of an object, as inputs of requests have them. */
  object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + name };
  }

  /**
   * Makes a request, which may be sent again. Its deadline allows for `bytes` of a body.
   * @throws what the library throws; {BreakerOpenError} without a request.
   */
  async send<Output>(
    request: (loaded: Loaded, options: { abortSignal: AbortSignal }) => Promise<Output>,
    { bytes = 0 } = {},
  ): Promise<Output> {
    const loaded = await this.#load();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#timeoutMs + bytes / BYTES_PER_MS);
    try {
      return await this.#breaker.run(() => request(loaded, { abortSignal: deadline.signal }));
    } finally {
      // The signal would also end the body of a response.
      clearTimeout(timer);
    }
  }

  async #unlessMissing<Output>(sent: Promise<Output>): Promise<Output | null> {
    try {
      return await sent;
    } catch (error) {
      if ([404, 412].includes(statusOf(error) ?? 0) && codeOf(error) !== 'NoSuchBucket') return null;
      throw storeUnavailable('file.not_read', error);
    }
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client(this.#clientSettings(this.#settings.endpoint)),
    }));
    return this.#loaded;
  }

  #clientSettings(endpoint: string | undefined): S3ClientConfig {
    const { region, credentials, forcePathStyle } = this.#settings;
    return {
      region,
      forcePathStyle,
      maxAttempts: MAX_ATTEMPTS,
      // Checksums are set here; others would make bodies that not every server reads.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 2_000,
        httpAgent: { maxSockets: MAX_CONNECTIONS, keepAlive: true },
        httpsAgent: { maxSockets: MAX_CONNECTIONS, keepAlive: true },
      },
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials && { credentials }),
    };
  }
}

export type PutCondition = { IfNoneMatch?: string };

const stateOf = ({ ETag, LastModified }: { ETag?: string; LastModified?: Date }): string =>
  `${ETag} ${LastModified?.getTime()}`;

interface S3Error {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

const statusOf = (error: unknown): number | undefined => (error as S3Error).$metadata?.httpStatusCode;

/** The name that the server or the operating system has for a failure. */
function codeOf(error: unknown): string {
  const { name, code } = error as S3Error;
  return code ?? name ?? 'unknown';
}

/** Whether the server failed, in contrast to a request that it refuses. */
const isOutage = (error: unknown): boolean => (statusOf(error) ?? 500) >= 500 || statusOf(error) === 429;

/** The error for callers of a request that failed. */
export function storeUnavailable(text: 'file.not_stored' | 'file.not_read', error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error;
  const code = error instanceof BreakerOpenError ? 'outage' : codeOf(error);
  return new UnavailableError(message(text, { code }) as Message, RETRY_S);
}

function rethrowNotRead(error: unknown): never {
  throw storeUnavailable('file.not_read', error);
}
