import type { FormObserver } from '../http/form-faults.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

/** What the errors of the upload library mean. The library identifies them by their texts alone. */
const FAULTS: readonly (readonly [error: RegExp, fault: (value: string) => Message])[] = [
  [/^Invalid content-type /, () => message('form.no_boundary')],
  [/^Invalid JSON in the '(\w+)'/, (name) => message('form.not_json', { name })],
  [/^Invalid type for the '(\w+)' multipart field \(/, (name) => message('form.not_object', { name })],
  [/^Invalid type for the 'map' multipart field entry key '(.*?)' array/s, (key) => invalidEntry(key)],
  [/^Invalid object path .* value '(.*)' \(/s, (path) => message('form.unknown_map_path', { path: printable(path) })],
  [/^Misordered multipart fields/, () => message('form.wrong_order')],
  [/^Missing multipart field '(\w+)'/, (name) => message('form.no_graphql_field', { name })],
  [/couldn't find any files or JSON/, () => message('form.no_graphql_field', { name: 'operations' })],
  [/max file uploads exceeded/, () => message('form.too_many_files')],
  [/^File missing in the request/, () => message('form.no_mapped_file')],
  [/createReadStream\(\) multiple times/, () => message('form.file_used_twice')],
  [/^Request disconnected/, () => message('form.disconnected')],
];

const invalidEntry = (key: string): Message => message('form.invalid_map_entry', { key: printable(key) });

/** What an error of the upload library or of its parser means for a request. `maxField` is the size limit of a field in bytes. */
export function uploadFault(error: unknown, observer: FormObserver, maxField: number): Message {
  const { message: problem } = error as Error;
  const [, field] = /^The '(.*)' multipart field value exceeds/s.exec(problem) ?? [];
  if (field !== undefined) return message('form.field_too_long', { name: printable(field), max: maxField });
  for (const [pattern, fault] of FAULTS) {
    const match = pattern.exec(problem);
    if (match !== null) return fault(match[1] ?? '');
  }
  return observer.faultOf(error);
}
