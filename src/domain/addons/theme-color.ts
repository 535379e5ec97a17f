const COLOR = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** A colour of the form `#rgb` or `#rrggbb` as stored: six lower-case hex digits. Null for any other text. */
export function storedColor(text: string): string | null {
  const digits = COLOR.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
}
