/** The bytes of a signature are not of their format. The message is a clause for a person. */
export class MalformedError extends Error {}

/** One DER element: its identifier byte, its content, and all of its bytes. */
export interface DerElement {
  tag: number;
  content: Buffer;
  bytes: Buffer;
}

/** Identifier bytes of the universal and context-specific types that signatures and certificates use. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context1: 0xa1,
  context3: 0xa3,
} as const;

function elementAt(bytes: Buffer, offset: number): DerElement {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw new MalformedError('it is cut short');
  if ((tag & 0x1f) === 0x1f) throw new MalformedError('it has a tag number that is not used here');
  let length = first;
  let start = offset + 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new MalformedError('it has a length that DER does not allow');
    if (start + count > bytes.length) throw new MalformedError('it is cut short');
    length = bytes.readUIntBE(start, count);
    if (length < 0x80 || (count > 1 && bytes[start] === 0)) throw new MalformedError('a length is not minimal');
    start += count;
  }
  if (start + length > bytes.length) throw new MalformedError('it is cut short');
  return { tag, content: bytes.subarray(start, start + length), bytes: bytes.subarray(offset, start + length) };
}

/** Reads elements until the bytes end. Throws a MalformedError for anything that is not DER (X.690, section 10.1). */
export function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const element = elementAt(bytes, offset);
    elements.push(element);
    offset += element.bytes.length;
  }
  return elements;
}

/** Refuses an element that is absent or of another type, else returns it. */
export function expectTag(element: DerElement | undefined, tag: number, what: string): DerElement {
  if (element?.tag !== tag) throw new MalformedError(`${what} is not where it should be`);
  return element;
}

/** The elements inside of a constructed element of the given type. */
export function membersOf(element: DerElement | undefined, tag: number, what: string): DerElement[] {
  return readElements(expectTag(element, tag, what).content);
}

/** Reads bytes that are exactly one SEQUENCE and returns its members. */
export function readSequence(bytes: Buffer, what: string): DerElement[] {
  const elements = readElements(bytes);
  if (elements.length !== 1) throw new MalformedError(`${what} is followed by other bytes`);
  return membersOf(elements[0], derTag.sequence, what);
}

/** The longest that signatures use has 11 bytes; the time that a number takes grows with the square of its length. */
const MAX_OID_LENGTH = 32;

/** The dotted form of an OBJECT IDENTIFIER. */
export function readOid(element: DerElement | undefined): string {
  const { content } = expectTag(element, derTag.oid, 'an object identifier');
  if (content.length > MAX_OID_LENGTH) throw new MalformedError('an object identifier is too long');
  const parts: bigint[] = [];
  let value = 0n;
  for (const byte of content) {
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    parts.push(value);
    value = 0n;
  }
  const [first, ...rest] = parts;
  if (first === undefined || (content.at(-1) ?? 0) >= 0x80)
    throw new MalformedError('an object identifier is cut short');
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...rest].join('.');
}

/** The moment of a UTCTime or GeneralizedTime in the forms that certificates may use (RFC 5280, 4.1.2.5). */
export function readTime(element: DerElement | undefined): Date {
  const text = element?.content.toString('latin1') ?? '';
  const pattern = element?.tag === derTag.utcTime ? /^(\d{2})(\d{10})Z$/ : /^(\d{4})(\d{10})Z$/;
  const match = pattern.exec(text);
  if (!match || (element?.tag !== derTag.utcTime && element?.tag !== derTag.generalizedTime)) {
    throw new MalformedError('a time is not readable');
  }
  const [, year = '', rest = ''] = match;
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const [month, day, hour, minute, second] = rest.match(/../g) ?? [];
  const date = new Date(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(date.getTime())) throw new MalformedError('a time is not readable');
  return date;
}
