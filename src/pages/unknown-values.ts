/* Query parameters whose values a page does not know, such as a filter of an old link. */
import { html } from 'hono/html';
import { InvalidInputError } from '../errors.ts';
import { lastValue, type Params, type ParamValues, readParam, readQuery } from '../http/params.ts';
import { notice } from './components/notice.ts';
import type { Html } from './html.ts';
import type { Ui } from './ui.ts';

/** The declared parameters of a query. */
interface KnownQuery<Query extends Params> {
  values: ParamValues<Query>;
  /** The query without the parameters whose values are unknown, for the links of the page. */
  search: URLSearchParams;
  /** The refused parameters: name, value, and the error of an API that refuses it. */
  unknown: readonly { name: string; value: string; error: InvalidInputError }[];
}

/**
 * Reads the declared parameters of a query. One with an unknown value reads as absent.
 * @throws {InvalidInputError} when a parameter may not be absent.
 */
export function readKnownQuery<Query extends Params>(declared: Query, search: URLSearchParams): KnownQuery<Query> {
  const known = new URLSearchParams(search);
  const unknown = Object.entries(declared).flatMap(([name, param]) => {
    const value = lastValue(search, name);
    try {
      readParam(param, value, name);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidInputError) || value === null) throw error;
      known.delete(name);
      return [{ name, value, error }];
    }
  });
  return { values: readQuery(declared, known, 'pages'), search: known, unknown };
}

/**
 * A page that names the values that it left out.
 * @throws {InvalidInputError} for a result that cannot say it, such as a file.
 */
export function namingUnknownValues<Result extends { kind?: string; main?: Html } | null>(
  ui: Ui,
  result: Result,
  unknown: KnownQuery<Params>['unknown'],
): Result {
  const [first] = unknown;
  if (first === undefined) return result;
  if (result?.main === undefined) throw first.error;
  const parts = unknown.map(
    ({ name, value }) => html` <bdi dir="ltr"><code>${name}=${value.slice(0, 100)}</code></bdi>`,
  );
  const text = ui.t('site.unknown-values', { values: html`${parts}` });
  return { ...result, main: html`${notice(ui, { kind: 'warning', text })}${result.main}` };
}
