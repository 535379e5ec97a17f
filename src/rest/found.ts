/** The result of a nullable look-up. A failed look-up makes `execute` throw its error, so null never reaches a reply. */
export function found<Value>(value: Value | null | undefined): Value {
  if (value == null) throw new Error('a look-up returned null without an error');
  return value;
}
