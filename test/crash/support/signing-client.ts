import { createHmac, randomUUID } from 'node:crypto';

/** An API key as `addons key create` prints it. */
export interface ApiKey {
  key: string;
  secret: string;
}

const LIFETIME_SECONDS = 60;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The Authorization header of one request: a one-time token signed with the key (contract, Authentication). */
export function authorization({ key, secret }: ApiKey): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: key, jti: randomUUID(), iat, exp: iat + LIFETIME_SECONDS };
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `JWT ${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
}

/** A form body and the header that describes it. */
export interface FormBody {
  contentType: string;
  body: Buffer;
}

/** The form of an upload (RFC 7578): the package as `upload`, and text fields before it. */
export function uploadForm(file: Buffer, fields: Record<string, string> = {}): FormBody {
  const boundary = `----------${randomUUID()}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="upload"; filename="addon.xpi"\r\nContent-Type: application/x-xpinstall\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Path of a version on the signing API. */
export function versionPath(guid: string, version: string): string {
  return `/api/v4/addons/${encodeURIComponent(guid)}/versions/${version}/`;
}
