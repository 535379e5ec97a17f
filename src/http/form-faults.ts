/*
 * Why a multipart form is malformed. The parser reports a few general faults; the bytes that were received show what is wrong.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

/** Maximum size of the headers of a part, in bytes. It is that of the parser. */
const MAX_PART_HEADERS = 16 * 1024;
/** How many bytes of the start and the end of a form are kept. */
const KEPT_BYTES = 2 * MAX_PART_HEADERS;

/** A header of a part, or the continuation of one (RFC 7578, RFC 9110). */
const HEADER_LINE = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*|[\t ].*)$/;

/** Keeps the start and the end of a form while it is received, to explain the errors of its parser. */
export class FormObserver {
  readonly #request: IncomingMessage;
  readonly #type: string;
  readonly #delimiter: string;
  /** The first chunks, at least `KEPT_BYTES` of them. */
  readonly #start = new Chunks();
  /** The last chunks, at least `KEPT_BYTES` of them. */
  readonly #end = new Chunks();

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#type = request.headers['content-type'] ?? '';
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(this.#type) ?? [];
    this.#delimiter = `--${quoted ?? plain ?? ''}`;
  }

  /** Starts to keep what is received. The caller reads the body in the same turn. */
  observe(): void {
    this.#request.on('data', (chunk: Buffer) => {
      if (this.#start.bytes < KEPT_BYTES) this.#start.add(chunk);
      this.#end.add(chunk);
      this.#end.dropFirst(KEPT_BYTES);
    });
  }

  /** What an error of the parser means for this form. The library identifies its errors by their texts alone. */
  faultOf(error: unknown): Message {
    const { message: problem } = error as Error;
    if (problem === 'Multipart: Boundary not found') return message('form.no_boundary');
    if (problem === 'Malformed content type') return message('form.malformed_type', { type: printable(this.#type) });
    if (problem === 'Malformed part header') return this.#headerFault();
    if (/^Unexpected end of (?:form|file)$/.test(problem)) return this.#endFault();
    return message('form.malformed', { problem: printable(problem) });
  }

  #headerFault(): Message {
    for (const part of this.#end.text().split(`${this.#delimiter}\r\n`).slice(1)) {
      if (part.startsWith('\r\n')) return message('form.part_without_headers');
      const [headers = ''] = part.split('\r\n\r\n', 1);
      if (headers.length > MAX_PART_HEADERS) return message('form.part_headers_too_long', { max: MAX_PART_HEADERS });
      const line = headers.split('\r\n').find((each) => !HEADER_LINE.test(each));
      if (line !== undefined) return message('form.malformed_part_header', { line: printable(line) });
    }
    return message('form.malformed_part_headers', { max: MAX_PART_HEADERS });
  }

  #endFault(): Message {
    const start = this.#start.text();
    if (start === '') return message('form.empty_body');
    const boundary = printable(this.#delimiter);
    if (!start.includes(this.#delimiter)) return message('form.other_boundary', { boundary });
    const hasLineFeeds = start.includes(`${this.#delimiter}\n`) && !start.includes(`${this.#delimiter}\r\n`);
    return hasLineFeeds ? message('form.line_feeds') : message('form.truncated', { boundary });
  }
}

/** A sequence of chunks. */
class Chunks {
  readonly #chunks: Buffer[] = [];
  bytes = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Drops the first chunks, and keeps at least `bytes`. */
  dropFirst(bytes: number): void {
    for (let first = this.#chunks[0]; first !== undefined && this.bytes - first.length >= bytes; ) {
      this.#chunks.shift();
      this.bytes -= first.length;
      first = this.#chunks[0];
    }
  }

  /** The bytes, one character for each. */
  text(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }
}
