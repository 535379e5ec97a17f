/** A body that pretends to be an upload form, and the text with which it is refused. */
export interface HostileForm {
  name: string;
  headers: Record<string, string>;
  body: Buffer;
  error: string;
}

const B = 'limit';
const FORM = `multipart/form-data; boundary=${B}`;
const MALFORMED = 'Malformed multipart form data: ';
const NO_UPLOAD = 'Missing "upload" key in multipart file data.';

const bytes = (...pieces: (string | Buffer)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
const END = `--${B}--\r\n`;

function part(head: string, content: string | Buffer): Buffer {
  return bytes(`--${B}\r\n${head}\r\n\r\n`, content, '\r\n');
}
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const file = (name: string, content: string | Buffer, more = '') =>
  part(
    `Content-Disposition: form-data; name="${name}"; filename="a.xpi"\r\nContent-Type: application/zip${more}`,
    content,
  );

/**
 * Forms that must be refused with 400 and leave nothing behind, though each carries, or pretends to carry, a good
 * package.
 */
export function hostileForms(xpi: Buffer): HostileForm[] {
  const row = (name: string, error: string, body: Buffer, type = FORM): HostileForm => ({
    name,
    headers: { 'Content-Type': type },
    body,
    error,
  });
  const whole = bytes(file('upload', xpi), END);
  return [...framingForms(row, xpi, whole), ...limitForms(row, xpi), ...nameForms(row, xpi, whole)];
}

type Row = (name: string, error: string, body: Buffer, type?: string) => HostileForm;

function framingForms(row: Row, xpi: Buffer, whole: Buffer): HostileForm[] {
  const unexpectedEnd = `${MALFORMED}unexpected end of form.`;
  const badHeader = `${MALFORMED}malformed part header.`;
  return [
    row('no boundary', `${MALFORMED}multipart: boundary not found.`, whole, 'multipart/form-data'),
    row('an empty boundary', `${MALFORMED}malformed content type.`, whole, 'multipart/form-data; boundary='),
    row('another boundary than announced', unexpectedEnd, whole, 'multipart/form-data; boundary=other'),
    row('an empty body', unexpectedEnd, Buffer.alloc(0)),
    row('only a first boundary', unexpectedEnd, bytes(`--${B}`)),
    row('no last boundary', unexpectedEnd, file('upload', xpi)),
    row('the end inside the file', unexpectedEnd, whole.subarray(0, whole.length - 60)),
    row('the end inside the head of a part', unexpectedEnd, bytes(`--${B}\r\nContent-Dispo`)),
    row(
      'a NUL in the head of a part',
      badHeader,
      bytes(`--${B}\r\nContent-\0Disposition: form-data; name="upload"\r\n\r\nx\r\n`, END),
    ),
    row('a head without a colon', badHeader, bytes(`--${B}\r\nContent-Disposition\r\n\r\nx\r\n`, END)),
    row('a head that never ends', badHeader, bytes(`--${B}\r\nX: `, 'y'.repeat(20_000), '\r\n\r\n', xpi, '\r\n', END)),
    row('ten thousand heads in a part', badHeader, file('upload', xpi, '\r\nX: y'.repeat(10_000))),
    row('line feeds only', unexpectedEnd, Buffer.from(whole.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
    row('random bytes', unexpectedEnd, Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251))),
    row(
      'an ended form with the file behind it',
      NO_UPLOAD,
      bytes(field('channel', 'unlisted'), END, file('upload', xpi), END),
    ),
  ];
}

function limitForms(row: Row, xpi: Buffer): HostileForm[] {
  const many = (count: number) => Array.from({ length: count }, (_, index) => field(`field${index}`, 'x'));
  return [
    row('eleven fields', `${MALFORMED}too many fields.`, bytes(...many(11), file('upload', xpi), END)),
    row('ten thousand fields', `${MALFORMED}too many fields.`, bytes(...many(10_000), file('upload', xpi), END)),
    row('two packages', `${MALFORMED}more than one file.`, bytes(file('upload', xpi), file('upload', xpi), END)),
    row(
      'a second file of another name',
      `${MALFORMED}more than one file.`,
      bytes(file('upload', xpi), file('more', xpi), END),
    ),
    row(
      'a channel of 65 kB',
      `${MALFORMED}a field is too long.`,
      bytes(field('channel', 'u'.repeat(65_537)), file('upload', xpi), END),
    ),
    row(
      'an unknown field of 1 MB',
      `${MALFORMED}a field is too long.`,
      bytes(file('upload', xpi), field('note', 'n'.repeat(1_000_000)), END),
    ),
    row(
      'the channel twice',
      `${MALFORMED}"channel" is there twice.`,
      bytes(field('channel', 'unlisted'), field('channel', 'listed'), file('upload', xpi), END),
    ),
  ];
}

function nameForms(row: Row, xpi: Buffer, whole: Buffer): HostileForm[] {
  const parse = 'Could not parse the manifest file.';
  return [
    row('the package as a text', NO_UPLOAD, bytes(field('upload', xpi.toString('latin1').slice(0, 1000)), END)),
    row('a file without a name', NO_UPLOAD, bytes(part('Content-Disposition: form-data; filename="a.xpi"', xpi), END)),
    row(
      'a part that is no form data',
      NO_UPLOAD,
      bytes(part('Content-Disposition: attachment; name="upload"; filename="a.xpi"', xpi), END),
    ),
    row('a part without a disposition', NO_UPLOAD, bytes(part('Content-Type: application/zip', xpi), END)),
    row('a package under the name __proto__', NO_UPLOAD, bytes(file('__proto__', xpi), END)),
    row(
      'fields named like parts of every object',
      NO_UPLOAD,
      bytes(field('__proto__', 'x'), field('constructor', 'y'), END),
    ),
    row('an empty package', parse, bytes(file('upload', ''), END)),
    row('a form inside the form', parse, bytes(file('upload', whole.toString('latin1').replaceAll(B, 'inner')), END)),
    row(
      'a package in base64',
      parse,
      bytes(file('upload', xpi.toString('base64'), '\r\nContent-Transfer-Encoding: base64'), END),
    ),
  ];
}
