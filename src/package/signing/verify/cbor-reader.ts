import { MalformedError } from './der-reader.ts';

/** What a COSE signature may hold. A tagged value is read as `{ tag, value }`. */
export type CborItem = number | string | null | Buffer | CborItem[] | Map<CborItem, CborItem> | TaggedItem;

/** A value with the number of its tag. */
export interface TaggedItem {
  tag: number;
  value: CborItem;
}

const MAX_DEPTH = 16;

class CborReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  #take(length: number): Buffer {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new MalformedError('it is cut short');
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  #argument(info: number): number {
    if (info < 24) return info;
    if (info > 26) throw new MalformedError('it has a length that is not used here');
    const width = 1 << (info - 24);
    const argument = this.#take(width).readUIntBE(0, width);
    if (argument < (width === 1 ? 24 : 2 ** (4 * width))) throw new MalformedError('a length is not minimal');
    return argument;
  }

  /** Reads the next item; `depth` is how far it is nested. */
  item(depth: number): CborItem {
    if (depth > MAX_DEPTH) throw new MalformedError('it is nested too deeply');
    const initial = this.#take(1).readUInt8(0);
    const major = initial >> 5;
    if (major === 7) {
      if (initial !== 0xf6) throw new MalformedError('it has a value that is not used here');
      return null;
    }
    const argument = this.#argument(initial & 31);
    if (major === 0) return argument;
    if (major === 1) return -1 - argument;
    if (major === 2) return this.#take(argument);
    if (major === 3) return this.#take(argument).toString('utf8');
    if (major === 4) return this.#list(argument, depth);
    if (major === 5) return this.#map(argument, depth);
    return { tag: argument, value: this.item(depth + 1) };
  }

  #list(length: number, depth: number): CborItem[] {
    const items: CborItem[] = [];
    while (items.length < length) items.push(this.item(depth + 1));
    return items;
  }

  #map(size: number, depth: number): Map<CborItem, CborItem> {
    const map = new Map<CborItem, CborItem>();
    for (let read = 0; read < size; read++) {
      const key = this.item(depth + 1);
      if (map.has(key)) throw new MalformedError('a key appears twice');
      map.set(key, this.item(depth + 1));
    }
    return map;
  }
}

/** Decodes bytes that are exactly one CBOR item of definite, minimal lengths. Throws a MalformedError otherwise. */
export function readCbor(bytes: Buffer): CborItem {
  const reader = new CborReader(bytes);
  const item = reader.item(0);
  if (!reader.atEnd) throw new MalformedError('it is followed by other bytes');
  return item;
}
