import type { Buffer } from 'node:buffer';
import { type Message, message } from '../../texts/messages.ts';
import { refusedSource, shownName } from './refusals.ts';

/** A file in an archive of source code; `name` is printable. Several may have one name, of which the last one is unpacked. */
export interface SourceFile {
  name: string;
  /** In bytes. */
  size: number;
}

/** Gets the content of each file in pieces, which must not be kept, after an empty one. */
export type SourceVisitor = (file: SourceFile, piece: Buffer) => void;

/** Controls of ASCII; other bytes may be of any character set. */
const CONTROL = /[^ -~\u0080-\u00ff]/;
const OUTSIDE = /^(?:[/\\]|[A-Za-z]:)/;

const partsOf = (path: string): string[] => path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');

/**
 * A path in an archive of source code, its bytes as Latin-1. Source code may have names that packages may not have, in any
 * character set, as long as no unpacker writes outside its target folder.
 * @throws {PackageError} for a path that is absolute, has `..` or controls, or is longer than `maxBytes`.
 */
export function entryPath(bytes: Buffer, maxBytes: number): string {
  const path = bytes.toString('latin1');
  const flaw = pathFlaw(path, maxBytes);
  if (flaw !== null) throw refusedSource(flaw);
  return path;
}

function pathFlaw(path: string, maxBytes: number): Message | null {
  const name = shownName(path);
  if (path === '') return message('source.name_empty');
  if (path.length > maxBytes) return message('source.name_too_long', { name, max: maxBytes });
  if (CONTROL.test(path)) return message('source.name_control', { name });
  if (OUTSIDE.test(path)) return message('source.name_absolute', { name });
  return partsOf(path).includes('..') ? message('source.name_above', { name }) : null;
}

/** @throws {PackageError} for a symbolic link at `path` whose target, as Latin-1, is not inside the archive. */
export function requireInside(path: string, target: Buffer, maxBytes: number): void {
  const text = target.toString('latin1');
  const refusal = () => refusedSource(message('source.link', { name: shownName(path), target: shownName(text) }));
  if (text === '' || target.length > maxBytes || CONTROL.test(text) || OUTSIDE.test(text)) throw refusal();
  let depth = partsOf(path).length - 1;
  for (const part of partsOf(text)) {
    depth += part === '..' ? -1 : 1;
    if (depth < 0) throw refusal();
  }
}
