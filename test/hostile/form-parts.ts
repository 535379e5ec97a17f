import { Buffer } from 'node:buffer';

/** Separates the parts of every form here. */
export const BOUNDARY = 'form-9f2c41';
/** The content type of the forms of `form`. */
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
export const CRLF = '\r\n';

/** A part of a form with these header lines. */
export function part(headers: string[], content: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([`--${BOUNDARY}`, ...headers, '', ''].join(CRLF)),
    Buffer.from(content),
    Buffer.from(CRLF),
  ]);
}

/** The Content-Disposition header of a part, which is a file if it has a file name. */
export function disposition(name: string, fileName?: string): string {
  return `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;
}

export const filePart = (content: Buffer, name = 'upload', fileName = 'addon.xpi'): Buffer =>
  part([disposition(name, fileName), 'Content-Type: application/x-xpinstall'], content);
export const fieldPart = (name: string, value: string): Buffer => part([disposition(name)], value);
/** A complete form with its closing delimiter. */
export const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--${CRLF}`)]);
