import { Buffer } from 'node:buffer';
import { BOUNDARY, CRLF, disposition, fieldPart, filePart, form, MULTIPART, part } from './form-parts.ts';
import {
  DAMAGED_ZIP,
  EMPTY_FILE,
  inOtherPart,
  LONG_HEADERS,
  malformed,
  malformedHeader,
  NO_UPLOAD,
  NO_ZIP,
  OTHER_BOUNDARY,
  otherType,
  TOO_MANY_FIELDS,
  TWO_FILES,
  UNENDED,
} from './form-texts.ts';
import { type UnusualForm, unusualForms } from './unusual-forms.ts';

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

type Row = [name: string, body: Buffer, status: number, text?: string, more?: Partial<FormCase>];

/** Upload forms around `file`, a valid package of `version`. Each case needs a separate add-on. */
export function formCases(file: Buffer, version: string): FormCase[] {
  const rows = [
    ...frameRows(file),
    ...partRows(file),
    ...headerRows(file),
    ...fieldRows(file),
    ...typeRows(file),
    ...unusualForms(file).map(accepted),
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

const accepted = ([name, body, { contentType = MULTIPART, ...more } = {}]: UnusualForm): Row => [
  name,
  body,
  201,
  undefined,
  { ...typed(contentType), ...more },
];

const typed = (contentType: string): Partial<FormCase> => ({ headers: { 'content-type': contentType } });

/** Boundaries, missing boundaries, and incomplete forms. */
function frameRows(file: Buffer): Row[] {
  const good = form(filePart(file));
  return [
    [
      'no boundary in the header',
      good,
      400,
      malformed('the Content-Type header has no boundary. Let your HTTP library write this header.'),
      typed('multipart/form-data'),
    ],
    [
      'an empty boundary',
      good,
      400,
      malformed(
        'the Content-Type header is malformed. It is "multipart/form-data; boundary="; let your HTTP library write it.',
      ),
      typed('multipart/form-data; boundary='),
    ],
    [
      'another boundary in the header',
      good,
      400,
      OTHER_BOUNDARY.replace(BOUNDARY, 'other'),
      typed('multipart/form-data; boundary=other'),
    ],
    ['no closing boundary', good.subarray(0, -4 - BOUNDARY.length - CRLF.length), 400, UNENDED],
    ['a closing boundary with one dash', good.subarray(0, -1 - CRLF.length), 400, UNENDED],
    ['cut off in the file', good.subarray(0, Math.floor(good.length / 2)), 400, UNENDED],
    ['cut off in the headers of a part', good.subarray(0, 60), 400, UNENDED],
    ['an empty body', Buffer.alloc(0), 400, malformed('the body of the request is empty. Send the parts of the form.')],
    ['one byte', Buffer.from('-'), 400, OTHER_BOUNDARY],
    ['a megabyte of dashes', Buffer.alloc(1_000_000, '-'), 400, OTHER_BOUNDARY],
    ['a megabyte of line ends', Buffer.alloc(1_000_000, CRLF), 400, OTHER_BOUNDARY],
    ['a megabyte of zeros', Buffer.alloc(1_000_000), 400, OTHER_BOUNDARY],
    [
      'line ends without carriage return',
      Buffer.from(good.toString('latin1').replaceAll(CRLF, '\n'), 'latin1'),
      400,
      malformed('its lines end with LF. They must end with CR LF.'),
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
    ['the file under another name', form(filePart(file, 'file')), 400, inOtherPart('file')],
    ['the name in capitals', form(filePart(file, 'UPLOAD')), 400, inOtherPart('UPLOAD')],
    [
      'upload as a plain field',
      form(fieldPart('upload', 'addon.xpi')),
      400,
      `${NO_UPLOAD} The part "upload" has no file name: send it as a file, with filename="…" in its Content-Disposition.`,
    ],
    ['two files of the same name', form(filePart(file), filePart(file)), 400, TWO_FILES],
    ['a second file', form(filePart(file), filePart(file, 'source', 'src.zip')), 400, TWO_FILES],
    ['eleven fields', form(...many(11, (index) => fieldPart(`f${index}`, 'x')), filePart(file)), 400, TOO_MANY_FIELDS],
    ['1,000 fields', form(...many(1000, () => fieldPart('f', 'x'))), 400, TOO_MANY_FIELDS],
    ['an empty file', form(filePart(Buffer.alloc(0))), 400, EMPTY_FILE],
    ['a file of zeros', form(filePart(Buffer.alloc(5000))), 400, NO_ZIP],
    ['a form inside the form', form(filePart(form(filePart(file)))), 400, DAMAGED_ZIP],
  ];
}

/** Headers of parts. */
function headerRows(file: Buffer): Row[] {
  const withHead = (...headers: string[]) => form(part(headers, file));
  const type = 'Content-Type: application/x-xpinstall';
  const huge = 'x'.repeat(20_000);
  const lines = Array.from({ length: 3000 }, (_, index) => `X-${index}: y`);
  return [
    [
      'a part without headers',
      withHead(),
      400,
      malformed('a part has no headers. Each one needs Content-Disposition: form-data; name="…".'),
    ],
    ['no Content-Disposition', withHead(type), 400, NO_UPLOAD],
    [
      'a part without a name',
      withHead('Content-Disposition: form-data; filename="addon.xpi"', type),
      400,
      `${NO_UPLOAD} A file is in a part without a name; name it with Content-Disposition: form-data; name="upload".`,
    ],
    [
      'an attachment instead of form-data',
      withHead('Content-Disposition: attachment; name="upload"; filename="a.xpi"', type),
      400,
      NO_UPLOAD,
    ],
    ['headers of 20 kB', withHead(disposition('upload', 'addon.xpi'), `X-Filler: ${huge}`), 400, LONG_HEADERS],
    ['3,000 header lines', withHead(disposition('upload', 'addon.xpi'), ...lines), 400, LONG_HEADERS],
    [
      'a header without a colon',
      withHead(disposition('upload', 'addon.xpi'), 'nothing here'),
      400,
      malformedHeader('nothing here'),
    ],
    [
      'control characters in a file name',
      withHead(disposition('upload', 'a\x01\x1b[31m\x7f.xpi')),
      400,
      malformedHeader(disposition('upload', 'a\\u0001\\u001b[31m\\u007f.xpi')),
    ],
    [
      'a NUL in a header',
      withHead(`${disposition('upload', 'addon.xpi')}\0`),
      400,
      malformedHeader(`${disposition('upload', 'addon.xpi')}\\u0000`),
    ],
    [
      'base64 as transfer encoding',
      form(part([disposition('upload', 'a.xpi'), 'Content-Transfer-Encoding: base64'], file.toString('base64'))),
      400,
      NO_ZIP,
    ],
  ];
}

/** Fields. */
function fieldRows(file: Buffer): Row[] {
  const channel = (sent: string) => `Invalid channel: it must be "listed" or "unlisted". It is "${sent}".`;
  const tooLong = malformed('the field "note" is longer than 65536 bytes.');
  return [
    ['a field of 65 kB', form(fieldPart('note', 'x'.repeat(65 * 1024 + 1)), filePart(file)), 400, tooLong],
    ['a field of 2 MB', form(filePart(file), fieldPart('note', 'x'.repeat(2_000_000))), 400, tooLong],
    [
      'channel twice',
      form(fieldPart('channel', 'unlisted'), fieldPart('channel', 'unlisted'), filePart(file)),
      400,
      malformed('the field "channel" is repeated. Send it once.'),
    ],
    ['an unknown channel', form(fieldPart('channel', 'beta'), filePart(file)), 400, channel('beta')],
    ['an empty channel', form(fieldPart('channel', ''), filePart(file)), 400, channel('')],
    ['a channel with a NUL', form(fieldPart('channel', 'unlisted\0'), filePart(file)), 400, channel('unlisted\\u0000')],
    ['channel as a file', form(filePart(file, 'channel')), 400, inOtherPart('channel')],
  ];
}

/** Other media types. */
function typeRows(file: Buffer): Row[] {
  const good = form(filePart(file));
  const unsupported = (type: string) => `Unsupported media type "${type}" in request.`;
  return [
    ['JSON', Buffer.from('{"upload":"x"}'), 400, otherType('application/json'), typed('application/json')],
    [
      'an urlencoded form',
      Buffer.from('upload=x'),
      400,
      otherType('application/x-www-form-urlencoded'),
      typed('application/x-www-form-urlencoded'),
    ],
    ['no type', good, 400, `${NO_UPLOAD} The request has no Content-Type; send multipart/form-data.`, { headers: {} }],
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
  const mismatch = (sent: string) =>
    `Version does not match the manifest file. The request names ${sent}, the manifest ${version}.`;
  return [
    post('POST without a version', form(filePart(file)), 400, 'Missing "version" key in multipart form data.'),
    post(
      'POST with the version as a file',
      form(filePart(Buffer.from(version), 'version')),
      400,
      inOtherPart('version'),
    ),
    post('POST with an empty version', form(fieldPart('version', ''), filePart(file)), 400, mismatch('')),
    post(
      'POST with a NUL in the version',
      form(fieldPart('version', `${version}\0`), filePart(file)),
      400,
      mismatch(`${version}\\u0000`),
    ),
    post(
      'POST with 60 kB of version',
      form(fieldPart('version', '1'.repeat(60_000)), filePart(file)),
      400,
      mismatch('1'.repeat(200)),
    ),
    post('POST with neither', form(), 400, NO_UPLOAD),
  ];
}
