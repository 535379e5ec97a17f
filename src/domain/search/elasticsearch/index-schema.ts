/*
 * What an index of the search server consists of. Nothing is analysed there: it looks up the lexemes that PostgreSQL looks
 * up, so both find the same.
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
/** Looked up, never sorted by or counted. */
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

/** What an index was made by; one that was made by something else is not searched. */
export interface IndexMake {
  schemaHash: string;
  lexer: number;
  /** Most results of one search that it gives out. */
  resultWindow: number;
}

const SCHEMA_HASH = createHash('sha256')
  .update(JSON.stringify(MAPPINGS) + DOCUMENTS_SQL)
  .digest('hex')
  .slice(0, 8);

/** How this program, with its settings, makes an index. */
export function currentMake(): IndexMake {
  return { schemaHash: SCHEMA_HASH, lexer: LEXER_VERSION, resultWindow: config.SEARCH_WINDOW };
}

/** The body that creates an index, ready to be filled: without copies and refreshes. */
export function newIndex({ schemaHash, lexer, resultWindow }: IndexMake) {
  const settings = {
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: '-1',
    max_result_window: resultWindow,
    // For so long an older copy cannot bring back what was deleted.
    gc_deletes: '1h',
  };
  return { settings: { index: settings }, mappings: { ...MAPPINGS, _meta: { schemaHash, lexer } } };
}

/** The settings of an index that is filled: a copy where there is a second node, and changes found after a second. */
export const IN_SERVICE = { index: { auto_expand_replicas: '0-1', refresh_interval: '1s' } };
