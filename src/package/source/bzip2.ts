import { Buffer } from 'node:buffer';
import { damagedSource, truncatedSource } from './refusals.ts';

const BLOCK_MAGIC = [0x314159, 0x265359];
const END_MAGIC = [0x177245, 0x385090];
/** Size of a block per unit of the level in the header, in bytes. */
const LEVEL_BYTES = 100_000;
const HIGHEST_LEVEL = 9;
/** More than a block of the highest level takes: 900,000 symbols of 20 bits, the code tables and the selectors. */
const MAX_BLOCK_INPUT = 2_600_000;
const PIECE_BYTES = 256 * 1024;
const GROUP_SYMBOLS = 50;
const MAX_CODE_BITS = 20;
const MAX_SYMBOLS = 258;
/** Further copies of a byte after four equal ones. */
const MAX_COPIES = 255;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});

/** Reads bits, highest first, from chunks of which enough for one block are held. */
class BitInput {
  readonly #chunks: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #isEnded = false;
  #bits = 0;
  #held = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads ahead what one block may take. Returns whether any byte is left. */
  async fill(): Promise<boolean> {
    const parts = [this.#bytes.subarray(this.#at)];
    let size = this.#bytes.length - this.#at;
    while (size < MAX_BLOCK_INPUT && !this.#isEnded) {
      const { done, value } = await this.#chunks.next();
      if (done) this.#isEnded = true;
      else {
        parts.push(value);
        size += value.length;
      }
    }
    if (parts.length > 1) {
      this.#bytes = Buffer.concat(parts);
      this.#at = 0;
    }
    return size > 0;
  }

  /** The next bits as a number; at most 24. */
  read(count: number): number {
    while (this.#held < count) {
      if (this.#at === this.#bytes.length) throw truncatedSource();
      this.#bits = (this.#bits << 8) | (this.#bytes[this.#at++] as number);
      this.#held += 8;
    }
    this.#held -= count;
    return (this.#bits >>> this.#held) & ((1 << count) - 1);
  }

  read32(): number {
    return (this.read(16) << 16) | this.read(16);
  }

  /** Drops the bits up to the next byte, which is the end of a stream. */
  align(): void {
    this.#held = 0;
  }
}

/** A canonical Huffman code: for each length the highest code, and what to subtract from a code to find its symbol. */
interface Code {
  shortest: number;
  limits: Int32Array;
  bases: Int32Array;
  symbols: Uint16Array;
}

/**
 * Decompresses bzip2 in pieces, one block of at most 900 kB after the other, concatenated streams included. Verifies the checksums.
 * Throws `PackageError` for anything else, also for the randomised blocks of bzip2 before 0.9.5. Uses some 10 MB of memory.
 */
export async function* bunzip2(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const input = new BitInput(chunks);
  const block = new Int32Array(HIGHEST_LEVEL * LEVEL_BYTES);
  let isFirst = true;
  while ((await input.fill()) || isFirst) {
    isFirst = false;
    if (input.read(24) !== 0x425a68) throw damagedSource();
    const level = input.read(8) - 0x30;
    if (level < 1 || level > HIGHEST_LEVEL) throw damagedSource();
    yield* readStream(input, block.subarray(0, level * LEVEL_BYTES));
  }
}

async function* readStream(input: BitInput, block: Int32Array): AsyncGenerator<Buffer, void, undefined> {
  for (let combined = 0; ; ) {
    await input.fill();
    const magic = [input.read(24), input.read(24)];
    const expected = input.read32();
    if (magic[0] === END_MAGIC[0] && magic[1] === END_MAGIC[1]) {
      if (expected !== combined) throw damagedSource();
      return input.align();
    }
    if (magic[0] !== BLOCK_MAGIC[0] || magic[1] !== BLOCK_MAGIC[1]) throw damagedSource();
    if (input.read(1) !== 0) throw damagedSource();
    const origin = input.read(24);
    const length = readBlock(input, block);
    if (origin >= length) throw damagedSource();
    const crc = yield* contentOf(block, length, origin);
    if (crc !== expected) throw damagedSource();
    combined = ((combined << 1) | (combined >>> 31)) ^ crc;
  }
}

/** Decodes the symbols of a block: bytes moved to front, with runs of the first. Returns how many bytes `block` then holds. */
function readBlock(input: BitInput, block: Int32Array): number {
  const order = readAlphabet(input);
  const end = order.length + 1;
  const groups = input.read(3);
  if (groups < 2 || groups > 6) throw damagedSource();
  const selectors = readSelectors(input, groups);
  const codes = Array.from({ length: groups }, () => readCode(input, end + 1));
  let length = 0;
  let run = 0;
  let weight = 1;
  for (let index = 0; ; index += 1) {
    const code = codes[selectors[Math.floor(index / GROUP_SYMBOLS)] ?? -1];
    if (code === undefined) throw damagedSource();
    const symbol = readSymbol(input, code);
    if (symbol <= 1) {
      run += weight << symbol;
      weight <<= 1;
      if (run > block.length) throw damagedSource();
      continue;
    }
    if (length + run + (symbol === end ? 0 : 1) > block.length) throw damagedSource();
    block.fill(order[0] as number, length, length + run);
    length += run;
    run = 0;
    weight = 1;
    if (symbol === end) return length;
    const byte = order[symbol - 1] as number;
    order.copyWithin(1, 0, symbol - 1);
    order[0] = byte;
    block[length++] = byte;
  }
}

/** The bytes that occur in a block, in their order. */
function readAlphabet(input: BitInput): Uint8Array {
  const used: number[] = [];
  const ranges = input.read(16);
  for (let high = 0; high < 16; high += 1) {
    if ((ranges & (0x8000 >> high)) === 0) continue;
    const map = input.read(16);
    for (let low = 0; low < 16; low += 1) if ((map & (0x8000 >> low)) !== 0) used.push(high * 16 + low);
  }
  if (used.length === 0) throw damagedSource();
  return Uint8Array.from(used);
}

/** Which code each group of 50 symbols uses. */
function readSelectors(input: BitInput, groups: number): Uint8Array {
  const selectors = new Uint8Array(input.read(15));
  const order = Array.from({ length: groups }, (_, index) => index);
  for (let index = 0; index < selectors.length; index += 1) {
    let place = 0;
    while (input.read(1) === 1) if (++place >= groups) throw damagedSource();
    const [chosen = 0] = order.splice(place, 1);
    order.unshift(chosen);
    selectors[index] = chosen;
  }
  return selectors;
}

function readCode(input: BitInput, size: number): Code {
  const lengths = new Uint8Array(size);
  let length = input.read(5);
  for (let symbol = 0; symbol < size; symbol += 1) {
    for (;;) {
      if (length < 1 || length > MAX_CODE_BITS) throw damagedSource();
      if (input.read(1) === 0) break;
      length += input.read(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return canonicalCode(lengths);
}

function canonicalCode(lengths: Uint8Array): Code {
  const symbols = new Uint16Array(MAX_SYMBOLS);
  const limits = new Int32Array(MAX_CODE_BITS + 1).fill(-1);
  const bases = new Int32Array(MAX_CODE_BITS + 1);
  let placed = 0;
  let code = 0;
  for (let bits = 1; bits <= MAX_CODE_BITS; bits += 1) {
    code <<= 1;
    bases[bits] = code - placed;
    const first = placed;
    for (let symbol = 0; symbol < lengths.length; symbol += 1) if (lengths[symbol] === bits) symbols[placed++] = symbol;
    code += placed - first;
    if (placed > first) limits[bits] = code - 1;
  }
  return { shortest: Math.min(...lengths), limits, bases, symbols };
}

function readSymbol(input: BitInput, { shortest, limits, bases, symbols }: Code): number {
  let code = input.read(shortest);
  for (let bits = shortest; bits <= MAX_CODE_BITS; bits += 1) {
    if (code <= (limits[bits] as number)) {
      const place = code - (bases[bits] as number);
      if (place < 0 || place >= MAX_SYMBOLS) throw damagedSource();
      return symbols[place] as number;
    }
    code = (code << 1) | input.read(1);
  }
  throw damagedSource();
}

/** Where `expand` is in a block. */
interface Progress {
  done: number;
  link: number;
  equal: number;
  previous: number;
  crc: number;
}

/**
 * Undoes the block sorting of the first `length` bytes, whose upper bits become the links between them, and the encoding of runs.
 * Returns the checksum.
 */
function* contentOf(block: Int32Array, length: number, origin: number): Generator<Buffer, number, undefined> {
  linkBytes(block, length);
  const progress = { done: 0, link: (block[origin] as number) >>> 8, equal: 0, previous: -1, crc: -1 };
  while (progress.done < length) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, length + 2 * MAX_COPIES));
    yield piece.subarray(0, expand(block, length, progress, piece));
  }
  return ~progress.crc;
}

/** Writes the next bytes to `piece`: four equal ones are followed by the number of further ones. Returns how many it wrote. */
function expand(block: Int32Array, length: number, progress: Progress, piece: Buffer): number {
  let { done, link, equal, previous, crc } = progress;
  let filled = 0;
  for (; done < length && filled < piece.length - MAX_COPIES; done += 1) {
    const entry = block[link] as number;
    link = entry >>> 8;
    const byte = entry & 0xff;
    let copies = 1;
    if (equal === 4) {
      copies = byte;
      equal = 0;
    } else {
      equal = byte === previous ? equal + 1 : 1;
      previous = byte;
    }
    for (; copies > 0; copies -= 1) {
      piece[filled++] = previous;
      crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ previous] as number);
    }
    if (equal === 0) previous = -1;
  }
  Object.assign(progress, { done, link, equal, previous, crc });
  return filled;
}

/** Writes into the upper 24 bits of each place of the sorted block where the byte after it is. */
function linkBytes(block: Int32Array, length: number): void {
  const starts = new Int32Array(257);
  for (let at = 0; at < length; at += 1) increment(starts, (block[at] as number) + 1);
  for (let byte = 0; byte < 256; byte += 1) increment(starts, byte + 1, starts[byte]);
  for (let at = 0; at < length; at += 1) {
    const byte = (block[at] as number) & 0xff;
    const place = starts[byte] as number;
    increment(starts, byte);
    block[place] = (block[place] as number) | (at << 8);
  }
}

function increment(counts: Int32Array, at: number, by = 1): void {
  counts[at] = (counts[at] as number) + by;
}
