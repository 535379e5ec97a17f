/* Patterns of the subjects of ID tokens. `*` at the end matches any rest, and nothing else is special. */

/** Whether a text is a usable pattern. Without a name of an owner or group before `*`, every job of the issuer would match. */
export const isSubjectPattern = (text: string): boolean =>
  text.length >= 3 &&
  text.length <= 500 &&
  /^[\x21-\x7e]+$/.test(text) &&
  /^(?:[^*]+|[^*]*[^*/:]\/[^*]*\*)$/.test(text);

/** Whether a pattern matches a subject as a whole. */
export const matchesSubject = (pattern: string, subject: string): boolean =>
  pattern.endsWith('*') ? subject.startsWith(pattern.slice(0, -1)) : subject === pattern;
