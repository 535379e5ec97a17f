import { Buffer } from 'node:buffer';

/** What parts the forms of `form`. */
export const BOUNDARY = 'form-9f2c41';
/** The content type of the forms of `form`. */
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
export const CRLF = '\r\n';

/** A part of a form: its header lines and its content. */
export function part(headers: string[], content: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([`--${BOUNDARY}`, ...headers, '', ''].join(CRLF)),
    Buffer.from(content),
    Buffer.from(CRLF),
  ]);
}

/** The header that names a part, and makes it a file when there is a file name. */
export function disposition(name: string, fileName?: string): string {
  return `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;
}

/** A part with a file. */
export const filePart = (content: Buffer, name = 'upload', fileName = 'addon.xpi'): Buffer =>
  part([disposition(name, fileName), 'Content-Type: application/x-xpinstall'], content);
/** A part with a text. */
export const fieldPart = (name: string, value: string): Buffer => part([disposition(name)], value);
/** A whole form, with the delimiter that closes it. */
export const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--${CRLF}`)]);
