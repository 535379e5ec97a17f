/* What tests of the developer hub share. */
import type { TestApp } from './app.ts';
import type { MadeAddon } from './factories.ts';

/** The path of a page of an add-on in the hub. */
export const hubPath = ({ slug }: MadeAddon, rest = ''): string => `/developers/addon/${slug}/${rest}`;

/** A column of the row of an add-on. */
export async function addonColumn(app: TestApp, { id }: MadeAddon, name: string): Promise<unknown> {
  const [row] = await app.sql<{ value: unknown }>(`SELECT ${name} AS value FROM addon WHERE id = $1`, [id]);
  return row?.value;
}
