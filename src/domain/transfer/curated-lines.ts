/*
 * Lines of lists that curators replace as a whole: recommendations of browsers, the beginning of home pages, and add-ons for extensions of
 * other browsers. How they are read, staged, checked, loaded and exported.
 */
import { z } from 'zod';
import type { BulkSession } from '../../infra/bulk-session.ts';
import { ADDON_TYPES } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { BROWSER_NAME, HEX_COLOR, isWebAddress, MAX_ENTRIES, MAX_HERO_MODULES } from '../discovery/curated-limits.ts';
import { HERO_SECONDARY_ROW } from '../discovery/hero.ts';
import { duplicatesSql, matchesSql } from './line-checks.ts';
import {
  boundedText,
  derivedValue,
  guidValue,
  listValue,
  localeValue,
  nullIfAbsent,
  textLike,
  translatedText,
} from './line-values.ts';

const texts = translatedText.default({});
const webAddress = textLike(isWebAddress, message('field.not_url'), 1_000);
const hexColor = textLike((value) => HEX_COLOR.test(value), message('line.expected_color')).transform((value) =>
  value.toLowerCase(),
);

export const discoveryLine = z.strictObject({
  kind: derivedValue,
  edition: nullIfAbsent(boundedText(255)),
  locale: nullIfAbsent(localeValue),
  entries: listValue(z.strictObject({ addon: guidValue, heading: texts, description: texts }), MAX_ENTRIES.discovery),
});

const link = nullIfAbsent(z.strictObject({ url: webAddress, text: texts }));

const heroEntry = z
  .strictObject({
    addon: nullIfAbsent(guidValue),
    external: nullIfAbsent(
      z.strictObject({
        guid: boundedText(255),
        homepage: webAddress,
        name: boundedText(255),
        type: z.enum(ADDON_TYPES),
      }),
    ),
    gradient_start: hexColor,
    gradient_end: hexColor,
    featured_image: nullIfAbsent(webAddress),
    description: texts,
  })
  .refine(({ addon, external }) => (addon === null) !== (external === null), {
    params: { ...message('hero.addon_or_external') },
  });

export const heroLine = z.strictObject({
  kind: derivedValue,
  entries: listValue(heroEntry, MAX_ENTRIES.hero),
  secondary: nullIfAbsent(
    z.strictObject({
      ...{ headline: texts, description: texts, cta: link },
      modules: listValue(z.strictObject({ icon: webAddress, description: texts, cta: link }), MAX_HERO_MODULES).refine(
        ({ length }) => length === MAX_HERO_MODULES,
        { params: { ...message('hero.three_modules', { count: MAX_HERO_MODULES }) } },
      ),
    }),
  ),
});

export const mappingLine = z.strictObject({
  kind: derivedValue,
  browser: textLike((value) => BROWSER_NAME.test(value), message('mapping.invalid_browser')),
  extension_id: boundedText(255),
  addon_guid: guidValue,
});

const unknownEntry = (table: 's_discovery_entry' | 's_hero_entry', key: string): string =>
  matchesSql(
    `${table} s`,
    `s.guid IS NOT NULL AND NOT EXISTS (SELECT FROM addon a WHERE a.guid = s.guid)
      AND NOT EXISTS (SELECT FROM s_addon a WHERE a.guid = s.guid AND a.line < s.line)`,
    `'${key}.entries[' || s.place || '].addon'`,
    'line.no_addon',
    { guid: 's.guid' },
  );

export const CURATED_CHECKS = {
  discovery: [
    duplicatesSql('s_discovery', `'discovery.edition'`, `coalesce(edition, ''), coalesce(locale, '')`),
    duplicatesSql('s_discovery_entry', `'discovery.entries[' || place || '].addon'`, 'line, guid'),
    unknownEntry('s_discovery_entry', 'discovery'),
  ],
  // One line at most.
  hero: [duplicatesSql('s_hero', `'hero'`, 'line > 0'), unknownEntry('s_hero_entry', 'hero')],
  browser_mapping: [duplicatesSql('s_mapping', `'browser_mapping.extension_id'`, 'browser, extension_id')],
} as const;

const OF_LIST = 'e.edition IS NOT DISTINCT FROM s.edition AND e.locale IS NOT DISTINCT FROM s.locale';

/** SQL: whether the rows of a list differ from the staged ones. `stored` and `staged` are expressions and the rest of a query each. */
const differs = ([stored, of]: readonly [string, string], [staged, from]: readonly [string, string]): string =>
  `coalesce((SELECT json_agg(json_build_array(${stored}) ORDER BY e.position, e.id) FROM ${of})::text, '')
    <> coalesce((SELECT json_agg(json_build_array(${staged}) ORDER BY n.place) FROM ${from})::text, '')`;

/** Loads staged lists. A list that the file has is replaced if it differs, so that its entries keep their ids otherwise. */
export async function loadCuratedLists(session: BulkSession): Promise<void> {
  await session.query(`WITH changed AS MATERIALIZED (SELECT s.* FROM s_discovery s WHERE ${differs(
    ['e.addon_id, e.heading, e.description', `discovery_entry e WHERE ${OF_LIST}`],
    [
      `a.id, coalesce(n.heading, '{}'), coalesce(n.description, '{}')`,
      's_discovery_entry n JOIN addon a ON a.guid = n.guid WHERE n.line = s.line',
    ],
  )}), removed AS (DELETE FROM discovery_entry e USING changed s WHERE ${OF_LIST})
    INSERT INTO discovery_entry (edition, locale, position, addon_id, heading, description)
    SELECT s.edition, s.locale, n.place, a.id, coalesce(n.heading, '{}'), coalesce(n.description, '{}')
    FROM changed s JOIN s_discovery_entry n USING (line) JOIN addon a ON a.guid = n.guid ORDER BY n.line, n.place`);
  await session.query(`WITH changed AS MATERIALIZED (SELECT s.* FROM s_hero s WHERE ${differs(
    ['e.addon_id, e.external, e.gradient_start, e.gradient_end, e.featured_image, e.description', 'hero_entry e'],
    [
      `a.id, n.external, n.gradient_start, n.gradient_end, n.featured_image, coalesce(n.description, '{}')`,
      's_hero_entry n LEFT JOIN addon a ON a.guid = n.guid WHERE n.line = s.line',
    ],
  )}), removed AS (DELETE FROM hero_entry e USING changed)
    INSERT INTO hero_entry (position, addon_id, external, gradient_start, gradient_end, featured_image, description)
    SELECT n.place, a.id, n.external, n.gradient_start, n.gradient_end, n.featured_image, coalesce(n.description, '{}')
    FROM changed s JOIN s_hero_entry n USING (line) LEFT JOIN addon a ON a.guid = n.guid ORDER BY n.place`);
  await session.query(
    `DELETE FROM service_state t USING s_hero s WHERE t.name = '${HERO_SECONDARY_ROW}' AND s.secondary IS NULL`,
  );
  await session.query(`INSERT INTO service_state AS t (name, value) SELECT '${HERO_SECONDARY_ROW}', secondary FROM s_hero WHERE secondary IS NOT NULL
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, modified = now() WHERE t.value IS DISTINCT FROM excluded.value`);
  await session.query(`INSERT INTO browser_mapping AS t (browser, extension_id, addon_guid)
    SELECT browser, extension_id, guid FROM s_mapping ORDER BY line
    ON CONFLICT (browser, extension_id) DO UPDATE SET addon_guid = excluded.addon_guid
    WHERE t.addon_guid::text <> excluded.addon_guid::text`);
}

/** How the lists are exported: a line for each list of recommendations, one for home pages, one for each mapping. */
export const EXPORTED_LISTS = {
  discovery: {
    from: `(SELECT edition, locale, json_agg(json_build_object('addon', a.guid, 'heading', nullif(e.heading, '{}'),
        'description', nullif(e.description, '{}')) ORDER BY e.position, e.id) AS entries
      FROM discovery_entry e JOIN addon a ON a.id = e.addon_id GROUP BY edition, locale) t`,
    key: `coalesce(t.edition, '') COLLATE "C", coalesce(t.locale, '') COLLATE "C"`,
    body: `'edition', t.edition, 'locale', t.locale, 'entries', t.entries`,
  },
  hero: {
    from: `(SELECT (SELECT json_agg(json_build_object('addon', a.guid, 'external', e.external, 'gradient_start', e.gradient_start,
          'gradient_end', e.gradient_end, 'featured_image', e.featured_image, 'description', nullif(e.description, '{}'))
          ORDER BY e.position, e.id) FROM hero_entry e LEFT JOIN addon a ON a.id = e.addon_id) AS entries,
        (SELECT nullif(value, 'null') FROM service_state WHERE name = '${HERO_SECONDARY_ROW}') AS secondary) t
      WHERE t.entries IS NOT NULL OR t.secondary IS NOT NULL`,
    key: 't.entries IS NULL',
    body: `'entries', coalesce(t.entries, '[]'), 'secondary', t.secondary`,
  },
  browser_mapping: {
    from: 'browser_mapping t',
    key: 't.id',
    body: `'browser', t.browser, 'extension_id', t.extension_id, 'addon_guid', t.addon_guid`,
  },
} as const;
