/* Contrast of two colours (WCAG 2.2, relative luminance and contrast ratio). */

/** The channels of `#rgb` or `#rrggbb`, each from 0 to 1; null for other texts. */
function channelsOf(colour: string | null): number[] | null {
  const [, digits] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour ?? '') ?? [];
  if (digits === undefined) return null;
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((start) => Number.parseInt(long.slice(start, start + 2), 16) / 255);
}

function luminance(channels: readonly number[]): number {
  const linear = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const [red = 0, green = 0, blue = 0] = linear;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, from 1 to 21; null unless both are colours. */
export function contrastOf(one: string | null, other: string | null): number | null {
  const [first, second] = [channelsOf(one), channelsOf(other)];
  if (first === null || second === null) return null;
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
