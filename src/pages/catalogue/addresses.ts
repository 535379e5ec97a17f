/* Addresses of pages of the catalogue, as paths. */

/** The path of an address that the API hands out. */
export const pathOf = (url: string): string => new URL(url).pathname;

/** A query of the values that are not null; empty without any. */
export function queryString(values: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** A query with `changes`, where null removes a parameter. It begins at the first page; empty without parameters. */
export function changedQuery(search: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const changed = new URLSearchParams(search);
  for (const name of ['page', 'after', 'done']) changed.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  // Commas separate values; nothing requires their escape.
  return changed.size === 0 ? '' : `?${changed.toString().replaceAll('%2C', ',')}`;
}

/** Addresses with one more parameter, for lists: `href` is an address with or without a query. */
export function withParameter(href: string, name: string): (value: string) => string {
  const start = `${href}${href.includes('?') ? '&' : '?'}`;
  return (value) => start + new URLSearchParams([[name, value]]).toString().replaceAll('%2C', ',');
}
