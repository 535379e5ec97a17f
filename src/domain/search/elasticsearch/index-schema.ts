/*
 * Mapping and settings of an index. The server analyses nothing: it looks up the same lexemes as PostgreSQL, so both engines match the
 * same add-ons.
 */
import { createHash } from 'node:crypto';
import { config } from '../../../config.ts';
import { LEXER_VERSION } from '../analysis/lexemes.ts';
import { DOCUMENTS_SQL } from './documents.ts';

const keyword = { type: 'keyword' };
const long = { type: 'long' };
const integer = { type: 'integer' };
const double = { type: 'double' };
const date = { type: 'date', format: 'epoch_millis' };
/** A keyword that is searched, never sorted or aggregated. */
const lexemes = { type: 'keyword', doc_values: false };

const MAPPINGS = {
  dynamic: 'strict',
  _source: { excludes: ['name_lex', 'text_lex'] },
  properties: {
    id: integer,
    type: keyword,
    app: keyword,
    platform: keyword,
    category: integer,
    tag: keyword,
    locale: keyword,
    installable: { type: 'boolean' },
    desktop_min: long,
    desktop_max: long,
    mobile_min: long,
    mobile_max: long,
    suite_min: long,
    suite_max: long,
    mail_min: long,
    mail_max: long,
    factor: double,
    users: integer,
    downloads: integer,
    rating: double,
    hotness: double,
    created: date,
    updated: date,
    name_lex: lexemes,
    text_lex: lexemes,
  },
};

/** The format of an index; indexes of another format are not searched. */
export interface IndexMake {
  schemaHash: string;
  lexer: number;
  /** Maximum result window. */
  resultWindow: number;
}

const SCHEMA_HASH = createHash('sha256')
  .update(JSON.stringify(MAPPINGS) + DOCUMENTS_SQL)
  .digest('hex')
  .slice(0, 8);

/** The format of this program with its settings. */
export function currentMake(): IndexMake {
  return { schemaHash: SCHEMA_HASH, lexer: LEXER_VERSION, resultWindow: config.SEARCH_WINDOW };
}

/** The body that creates an index for filling: no replicas, no refresh. */
export function newIndex({ schemaHash, lexer, resultWindow }: IndexMake) {
  const settings = {
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: '-1',
    max_result_window: resultWindow,
    // Retention of delete tombstones: an older revision cannot restore a deleted document within this time.
    gc_deletes: '1h',
  };
  return { settings: { index: settings }, mappings: { ...MAPPINGS, _meta: { schemaHash, lexer } } };
}

/** Settings of a filled index: a replica when there is a second node, refresh every second. */
export const IN_SERVICE = { index: { auto_expand_replicas: '0-1', refresh_interval: '1s' } };
