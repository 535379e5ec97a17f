const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const LARGEST_CODE_POINT = 0x10ffff;

function character(code: number): string {
  return code > 0 && code <= LARGEST_CODE_POINT ? String.fromCodePoint(code) : ' ';
}

/** The plain text of HTML: tags become spaces, entities their characters. */
export function plainText(html: string): string {
  // A tag ends at the next `<` at the latest, which keeps unclosed tags linear.
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g, (entity, decimal, hex, name) => {
      if (decimal) return character(Number(decimal));
      if (hex) return character(Number.parseInt(hex, 16));
      return NAMED[name] ?? entity;
    });
}
