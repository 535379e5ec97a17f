import { Buffer } from 'node:buffer';
import { BOUNDARY, CRLF, disposition, fieldPart, filePart, form, MULTIPART, part } from './form-parts.ts';

/** An upload request that is invalid in one way, or unusual and valid, and the expected response. */
export interface FormCase {
  name: string;
  method: 'PUT' | 'POST';
  headers: Record<string, string>;
  body: Buffer;
  /** Sends the body in chunks of this many bytes, without a Content-Length. */
  chunkBytes?: number;
  status: number;
  /** The whole error message. */
  text?: string;
}

const malformed = (what: string): string => `Malformed multipart form data: ${what}.`;
const UNENDED = malformed('unexpected end of form');
const NO_UPLOAD = 'Missing "upload" key in multipart file data.';
const UNREADABLE = 'Could not parse the manifest file.';

type Row = [name: string, body: Buffer, status: number, text?: string, more?: Partial<FormCase>];

/** Upload forms around `file`, a valid package of `version`. Each case needs a separate add-on. */
export function formCases(file: Buffer, version: string): FormCase[] {
  const rows = [
    ...frameRows(file),
    ...partRows(file),
    ...headerRows(file),
    ...fieldRows(file),
    ...typeRows(file),
    ...unusualRows(file),
  ];
  const cases = rows.map(
    ([name, body, status, text, more]): FormCase => ({
      name,
      method: 'PUT',
      headers: { 'content-type': MULTIPART },
      body,
      status,
      ...(text === undefined ? {} : { text }),
      ...more,
    }),
  );
  return [...cases, ...postCases(file, version)];
}

const typed = (contentType: string): Partial<FormCase> => ({ headers: { 'content-type': contentType } });

/** Boundaries, missing boundaries, and incomplete forms. */
function frameRows(file: Buffer): Row[] {
  const good = form(filePart(file));
  return [
    ['no boundary in the header', good, 400, malformed('multipart: boundary not found'), typed('multipart/form-data')],
    ['an empty boundary', good, 400, malformed('malformed content type'), typed('multipart/form-data; boundary=')],
    ['another boundary in the header', good, 400, UNENDED, typed('multipart/form-data; boundary=other')],
    ['no closing boundary', good.subarray(0, -4 - BOUNDARY.length - CRLF.length), 400, UNENDED],
    ['a closing boundary with one dash', good.subarray(0, -1 - CRLF.length), 400, UNENDED],
    ['cut off in the file', good.subarray(0, Math.floor(good.length / 2)), 400, UNENDED],
    ['cut off in the headers of a part', good.subarray(0, 60), 400, UNENDED],
    ['an empty body', Buffer.alloc(0), 400, UNENDED],
    ['one byte', Buffer.from('-'), 400, UNENDED],
    ['a megabyte of dashes', Buffer.alloc(1_000_000, '-'), 400, UNENDED],
    ['a megabyte of line ends', Buffer.alloc(1_000_000, CRLF), 400, UNENDED],
    ['a megabyte of zeros', Buffer.alloc(1_000_000), 400, UNENDED],
    [
      'line ends without carriage return',
      Buffer.from(good.toString('latin1').replaceAll(CRLF, '\n'), 'latin1'),
      400,
      UNENDED,
    ],
    ['only the closing boundary', form(), 400, NO_UPLOAD],
  ];
}

/** Missing, repeated and misnamed parts. */
function partRows(file: Buffer): Row[] {
  const many = (count: number, make: (index: number) => Buffer) =>
    Array.from({ length: count }, (_, index) => make(index));
  return [
    ['only a field', form(fieldPart('channel', 'unlisted')), 400, NO_UPLOAD],
    ['the file under another name', form(filePart(file, 'file')), 400, NO_UPLOAD],
    ['the name in capitals', form(filePart(file, 'UPLOAD')), 400, NO_UPLOAD],
    ['upload as a plain field', form(fieldPart('upload', 'addon.xpi')), 400, NO_UPLOAD],
    ['two files of the same name', form(filePart(file), filePart(file)), 400, malformed('more than one file')],
    ['a second file', form(filePart(file), filePart(file, 'source', 'src.zip')), 400, malformed('more than one file')],
    [
      'eleven fields',
      form(...many(11, (index) => fieldPart(`f${index}`, 'x')), filePart(file)),
      400,
      malformed('too many fields'),
    ],
    ['1,000 fields', form(...many(1000, () => fieldPart('f', 'x'))), 400, malformed('too many fields')],
    ['an empty file', form(filePart(Buffer.alloc(0))), 400, UNREADABLE],
    ['a file of zeros', form(filePart(Buffer.alloc(5000))), 400, UNREADABLE],
    ['a form inside the form', form(filePart(form(filePart(file)))), 400, UNREADABLE],
  ];
}

/** Headers of parts. */
function headerRows(file: Buffer): Row[] {
  const withHead = (...headers: string[]) => form(part(headers, file));
  const type = 'Content-Type: application/x-xpinstall';
  const huge = 'x'.repeat(20_000);
  const lines = Array.from({ length: 3000 }, (_, index) => `X-${index}: y`);
  return [
    ['a part without headers', withHead(), 400, malformed('malformed part header')],
    ['no Content-Disposition', withHead(type), 400, NO_UPLOAD],
    ['a part without a name', withHead('Content-Disposition: form-data; filename="addon.xpi"', type), 400, NO_UPLOAD],
    [
      'an attachment instead of form-data',
      withHead('Content-Disposition: attachment; name="upload"; filename="a.xpi"', type),
      400,
      NO_UPLOAD,
    ],
    [
      'headers of 20 kB',
      withHead(disposition('upload', 'addon.xpi'), `X-Filler: ${huge}`),
      400,
      malformed('malformed part header'),
    ],
    [
      '3,000 header lines',
      withHead(disposition('upload', 'addon.xpi'), ...lines),
      400,
      malformed('malformed part header'),
    ],
    [
      'a header without a colon',
      withHead(disposition('upload', 'addon.xpi'), 'nothing here'),
      400,
      malformed('malformed part header'),
    ],
    [
      'control characters in a file name',
      withHead(disposition('upload', 'a\x01\x1b[31m\x7f.xpi')),
      400,
      malformed('malformed part header'),
    ],
    ['a NUL in a header', withHead(`${disposition('upload', 'addon.xpi')}\0`), 400, malformed('malformed part header')],
    [
      'base64 as transfer encoding',
      form(part([disposition('upload', 'a.xpi'), 'Content-Transfer-Encoding: base64'], file.toString('base64'))),
      400,
      UNREADABLE,
    ],
  ];
}

/** Fields. */
function fieldRows(file: Buffer): Row[] {
  const channel = 'Invalid channel: it must be "listed" or "unlisted".';
  return [
    [
      'a field of 65 kB',
      form(fieldPart('note', 'x'.repeat(65 * 1024 + 1)), filePart(file)),
      400,
      malformed('a field is too long'),
    ],
    [
      'a field of 2 MB',
      form(filePart(file), fieldPart('note', 'x'.repeat(2_000_000))),
      400,
      malformed('a field is too long'),
    ],
    [
      'channel twice',
      form(fieldPart('channel', 'unlisted'), fieldPart('channel', 'unlisted'), filePart(file)),
      400,
      malformed('"channel" is repeated'),
    ],
    ['an unknown channel', form(fieldPart('channel', 'beta'), filePart(file)), 400, channel],
    ['an empty channel', form(fieldPart('channel', ''), filePart(file)), 400, channel],
    ['a channel with a NUL', form(fieldPart('channel', 'unlisted\0'), filePart(file)), 400, channel],
    ['channel as a file', form(filePart(file, 'channel')), 400, NO_UPLOAD],
  ];
}

/** Other media types. */
function typeRows(file: Buffer): Row[] {
  const good = form(filePart(file));
  const unsupported = (type: string) => `Unsupported media type "${type}" in request.`;
  return [
    ['JSON', Buffer.from('{"upload":"x"}'), 400, NO_UPLOAD, typed('application/json')],
    ['an urlencoded form', Buffer.from('upload=x'), 400, NO_UPLOAD, typed('application/x-www-form-urlencoded')],
    ['no type', good, 400, NO_UPLOAD, { headers: {} }],
    ['the bare package', file, 415, unsupported('application/x-xpinstall'), typed('application/x-xpinstall')],
    ['plain text', Buffer.from('upload'), 415, unsupported('text/plain'), typed('text/plain')],
    [
      'a mixed multipart body',
      good,
      415,
      unsupported(`multipart/mixed; boundary=${BOUNDARY}`),
      typed(`multipart/mixed; boundary=${BOUNDARY}`),
    ],
    [
      'a type that only begins like a form',
      good,
      415,
      unsupported('multipart/form-data-x'),
      typed('multipart/form-data-x'),
    ],
    [
      'a length over the limit',
      good,
      400,
      'File exceeds the upload limit of 200 MB.',
      {
        headers: { 'content-type': MULTIPART, 'content-length': String(300 * 1024 * 1024), expect: '100-continue' },
        body: Buffer.alloc(0),
      },
    ],
  ];
}

/** Valid forms that few clients send. */
function unusualRows(file: Buffer): Row[] {
  const field = fieldPart('channel', 'unlisted');
  const accepted = (name: string, body: Buffer, more: Partial<FormCase> = {}): Row => [
    name,
    body,
    201,
    undefined,
    more,
  ];
  const named = (fileName: string) => form(filePart(file, 'upload', fileName));
  return [
    accepted('the field before the file', form(field, filePart(file))),
    accepted('the field after the file', form(filePart(file), field)),
    accepted('in pieces of 7 bytes, without a length', form(field, filePart(file)), { chunkBytes: 7 }),
    accepted(
      'text before and after the form',
      Buffer.concat([Buffer.from(`This is a form.${CRLF}`), form(filePart(file)), Buffer.from('The end.')]),
    ),
    accepted(
      'the boundary in quotes',
      form(filePart(file)),
      typed(`Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`),
    ),
    accepted(
      'ten unknown fields',
      form(...Array.from({ length: 10 }, (_, index) => fieldPart(`f${index}`, 'x')), filePart(file)),
    ),
    accepted('a field called __proto__', form(fieldPart('__proto__', 'x'), filePart(file))),
    accepted('a field name of 200 letters', form(fieldPart('n'.repeat(200), 'x'), filePart(file))),
    accepted('no Content-Type of the file', form(part([disposition('upload', 'addon.xpi')], file))),
    accepted('a file name with folders above', named('../../../etc/passwd.xpi')),
    accepted(
      'a file name with control characters, escaped',
      form(part(['Content-Disposition: form-data; name="upload"; filename*=UTF-8\'\'a%00%1b%5b31m.xpi'], file)),
    ),
    accepted('a file name of 5,000 letters', named(`${'n'.repeat(5000)}.xpi`)),
    accepted('a file name in UTF-8', named('アドオン.xpi')),
    accepted(
      'a file name in RFC 5987 form',
      form(part(['Content-Disposition: form-data; name="upload"; filename*=UTF-8\'\'%61%2Expi'], file)),
    ),
  ];
}

/** POSTed uploads, whose version is a field. */
function postCases(file: Buffer, version: string): FormCase[] {
  const post = (name: string, body: Buffer, status: number, text?: string): FormCase => ({
    name,
    method: 'POST',
    headers: { 'content-type': MULTIPART },
    body,
    status,
    ...(text === undefined ? {} : { text }),
  });
  const mismatch = 'Version does not match the manifest file.';
  return [
    post('POST without a version', form(filePart(file)), 400, 'Missing "version" key in multipart form data.'),
    post('POST with the version as a file', form(filePart(Buffer.from(version), 'version')), 400, NO_UPLOAD),
    post('POST with an empty version', form(fieldPart('version', ''), filePart(file)), 400, mismatch),
    post('POST with a NUL in the version', form(fieldPart('version', `${version}\0`), filePart(file)), 400, mismatch),
    post('POST with 60 kB of version', form(fieldPart('version', '1'.repeat(60_000)), filePart(file)), 400, mismatch),
    post('POST with neither', form(), 400, NO_UPLOAD),
  ];
}
