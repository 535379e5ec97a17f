import { secretValues } from '../config.ts';

/** Shorter values are words that texts have anyway. */
const MIN_LENGTH = 8;

/** A text such as that of an error without credentials: those of addresses, and the values of secret settings. */
export function withoutSecrets(text: string): string {
  const known = secretValues().filter((value) => value.length >= MIN_LENGTH);
  const rest = known.reduce((left, value) => left.replaceAll(value, '[redacted]'), text);
  return rest.replaceAll(/:\/\/[^\s/@]*@/g, '://[redacted]@');
}
