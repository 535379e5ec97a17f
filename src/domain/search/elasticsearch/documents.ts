/*
 * Documents for the search server: the rows of PostgreSQL's search as JSON, with their revision. One statement reads both, so they are
 * consistent, and texts are analysed only once.
 */

import { type Database, Prisma } from '../../../infra/db.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../package/enums.ts';
import { COMPATIBILITY_COLUMNS } from '../index/addon-row.ts';
import { NOT_INSTALLABLE, typeCode } from '../index/codes.ts';

/** The document of an add-on. */
export interface IndexDocument {
  id: number;
  /** Increases with every change of the add-on. */
  rev: string;
  /** JSON on one line. */
  body: string;
}

const words = (list: readonly string[]) => `ARRAY[${list.map((word) => `'${word}'`).join(', ')}]`;
const wordsOfMask = (list: readonly string[], mask: string) =>
  `ARRAY(SELECT word FROM unnest(${words(list)}) WITH ORDINALITY AS known(word, place) WHERE ${mask} & (1 << (place::int - 1)) <> 0)`;
const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::int8`;
const bounds = Object.values(COMPATIBILITY_COLUMNS)
  .flat()
  .map((column) => `'${column}', s.${column}`)
  .join(', ');

/** The statement without its condition. */
export const DOCUMENTS_SQL = `SELECT s.addon_id AS id, s.rev::text AS rev, json_strip_nulls(json_build_object(
    'id', s.addon_id, 'type', (${words(ADDON_TYPES)})[s.type + 1],
    'app', ${wordsOfMask(APPLICATIONS, 's.apps')}, 'platform', ${wordsOfMask(PLATFORMS, 's.platforms')},
    'installable', s.type <> ${typeCode('persona')} AND s.platforms & ${NOT_INSTALLABLE} = 0, 'category', l.cats, 'tag', ARRAY(SELECT DISTINCT lower(tag) FROM addon_tag t WHERE t.addon_id = s.addon_id),
    'locale', ARRAY(SELECT jsonb_object_keys(a.name)), ${bounds},
    'factor', s.m, 'users', s.users, 'downloads', s.downloads, 'rating', s.rating, 'hotness', s.hotness,
    'created', ${milliseconds('s.created')}, 'updated', ${milliseconds('s.last_updated')},
    'name_lex', tsvector_to_array(s.name_lex), 'text_lex', tsvector_to_array(s.text_lex)))::text AS body
  FROM addon_search s JOIN search_listing l USING (addon_id) JOIN addon a ON a.id = s.addon_id`;

/** The documents of the searchable ones among these add-ons. */
export async function documentsOf(database: Database, ids: readonly number[]): Promise<IndexDocument[]> {
  return database.$queryRaw<IndexDocument[]>`${Prisma.raw(DOCUMENTS_SQL)} WHERE s.addon_id = ANY(${[...ids]})`;
}

/** The next documents after an id, in id order. A nested loop: a merge join would read each table from its start. */
export async function documentsAfter(database: Database, after: number, limit: number): Promise<IndexDocument[]> {
  return database.$queryRaw<IndexDocument[]>`
    ${Prisma.raw(DOCUMENTS_SQL)}
    WHERE s.addon_id = ANY(ARRAY(SELECT addon_id FROM addon_search WHERE addon_id > ${after} ORDER BY addon_id LIMIT ${limit}))
    ORDER BY s.addon_id`;
}
