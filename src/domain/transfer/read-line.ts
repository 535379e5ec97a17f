import type { z } from 'zod';
import { type Message, message } from '../../texts/messages.ts';
import { LineError } from './line-error.ts';

type Issue = z.core.$ZodIssue;

const quoted = (word: unknown): string => JSON.stringify(word);

/** What a value should be, by the type that its schema expects. */
const EXPECTED: Readonly<Record<string, Message>> = {
  object: message('line.expected_object'),
  array: message('line.expected_list'),
  boolean: message('line.expected_flag'),
};

function problemOf(issue: Issue): Message {
  if (issue.input === undefined) return message('line.missing');
  if (issue.code === 'custom') return issue.params as Message & typeof issue.params;
  if (issue.code === 'unrecognized_keys') return message('line.unknown_key');
  if (issue.code === 'too_big') return message('line.too_many_entries', { max: Number(issue.maximum) });
  if (issue.code === 'invalid_value') {
    const [first, second, ...more] = issue.values.map(quoted);
    return first !== undefined && second !== undefined && more.length === 0
      ? message('line.expected_either', { first, second })
      : message('line.expected_one_of', { words: issue.values.map(quoted).join(', ') });
  }
  const expected = issue.code === 'invalid_type' ? EXPECTED[issue.expected] : undefined;
  if (expected === undefined) throw new Error(`no message for ${issue.code}`);
  return expected;
}

/** The issue to report: unknown keys of an object come before its values, and those are in the order of the schema. */
function firstOf(issues: readonly Issue[], depth = 0): Issue | undefined {
  const [first] = issues;
  const unknown = issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === depth);
  if (unknown !== undefined || first === undefined || first.path.length <= depth) return unknown ?? first;
  return firstOf(
    issues.filter(({ path }) => path[depth] === first.path[depth]),
    depth + 1,
  );
}

/** Reads a value by its schema. @throws {LineError} naming the first invalid key, which begins with `key`. */
export function readValue<Schema extends z.ZodType>(schema: Schema, value: unknown, key: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value, { reportInput: true });
  if (error === undefined) return data as z.output<Schema>;
  const issue = firstOf(error.issues) as Issue;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const names = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  throw new LineError(key + names.join(''), problemOf(issue));
}
