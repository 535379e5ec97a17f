import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../package/enums.ts';
import { wordsOf } from '../index/codes.ts';
import { type Facets, MAX_FACET_TAGS, noFacets } from '../query/engine.ts';
import { planQuery } from '../query/query-plan.ts';
import type { SearchRequest } from '../query/search-request.ts';
import { filterSql } from './plan/filters.ts';
import { type Run, Values } from './plan/statement.ts';
import { hasMatches, unionOf } from './plan/tier-conditions.ts';
import { partialMatchIds } from './rank/partial-match-page.ts';

/** Counts values over all results of a request, which costs more than a page. */
export async function facetsOf(run: Run, request: SearchRequest, comparesWords: boolean): Promise<Facets> {
  const values = new Values();
  const hits = await hitsSql(run, request, comparesWords, values);
  if (hits === null) return collect([]);
  const sql = `WITH hits AS MATERIALIZED (${hits})
    SELECT 'kind' AS facet, concat_ws(' ', type, apps, platforms) AS value, count(*)::int AS n
      FROM hits JOIN addon_search ON addon_id = hits.id GROUP BY type, apps, platforms
    UNION ALL
    SELECT 'category', category_id::text, count(*)::int
      FROM hits JOIN addon_category ON addon_id = hits.id GROUP BY category_id
    UNION ALL
    (SELECT 'tag', lower(tag), count(DISTINCT addon_id)::int
      FROM hits JOIN addon_tag ON addon_id = hits.id GROUP BY lower(tag) ORDER BY 3 DESC, 2 LIMIT ${MAX_FACET_TAGS})
    UNION ALL
    SELECT 'locale', locale, count(*)::int
      FROM hits JOIN addon USING (id), jsonb_object_keys(addon.name) AS locale GROUP BY locale`;
  return collect(await run<FacetRow>(sql, values.all));
}

interface FacetRow {
  facet: 'kind' | 'category' | 'tag' | 'locale';
  value: string;
  n: number;
}

/** The statement that selects the ids of all results; null when there are none. */
async function hitsSql(
  run: Run,
  request: SearchRequest,
  comparesWords: boolean,
  values: Values,
): Promise<string | null> {
  const { query, locale, alsoIn, filters, isStrict } = request;
  const found = 'SELECT addon_id AS id FROM addon_search WHERE';
  if (query === null) return `${found} true${filterSql(filters, values, 'operator')}`;
  const plan = planQuery(query, locale, alsoIn);
  if (plan === null) return null;
  const target = { run, plan, filters };
  if (!isStrict && !(await hasMatches(target))) return partialMatchIds(target, comparesWords, values);
  return `${found} ${unionOf(plan, filters, values)}`;
}

function collect(rows: readonly FacetRow[]): Facets {
  const counts = noFacets();
  const add = (facet: Record<string, number>, value: string, n: number) => {
    facet[value] = (facet[value] ?? 0) + n;
  };
  for (const { facet, value, n } of rows) {
    if (facet === 'category') add(counts.categories, value, n);
    else if (facet === 'tag') add(counts.tags, value, n);
    else if (facet === 'locale') add(counts.locales, value, n);
    else {
      const [type = 0, apps = 0, platforms = 0] = value.split(' ').map(Number);
      add(counts.types, ADDON_TYPES[type] ?? '', n);
      for (const app of wordsOf(APPLICATIONS, apps)) add(counts.applications, app, n);
      for (const platform of wordsOf(PLATFORMS, platforms)) add(counts.platforms, platform, n);
    }
  }
  return counts;
}
