/*
 * Temporary tables for the lines of an import until all are checked. They belong to the session, are dropped when the transaction
 * ends, and are filled from JSON in chunks of some megabytes: the keys of a row are the names of columns.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import { type ListingColumn, listingFields } from '../listing/fields.ts';
import { type CatalogueColumn, catalogueFields } from '../versions/fields.ts';
import { PictureCache } from './stored-files.ts';

/** Columns from the file, by table. Columns after the bar are set later, in SQL. */
const TABLES = {
  s_application_version: 'line int, app text, version text, code bigint',
  s_category: 'line int, id int, app text, type text, slug text, name jsonb, weight int',
  s_account: `line int, id int, username citext, display_name text, email citext, created timestamptz, biography text,
    homepage text, location text, occupation text, is_verified bool, read_dev_agreement timestamptz, deleted bool,
    groups citext[], picture_sha256 text | account_id int`,
  /** With a column for each listing field. */
  s_addon: `line int, id int, guid citext, slug citext, type text, status text, default_locale text, icon_sha256 text,
    average_daily_users int, weekly_downloads int, hotness float8, rating_count int, rating_text_count int,
    rating_average float8, rating_bayesian float8, imported_count int, imported_text_count int, imported_average float8, e10s text, created timestamptz, last_updated timestamptz,
    is_deleted bool`,
  s_persona: `line int, accent_color text, text_color text, header_sha256 text, footer_sha256 text`,
  s_author: 'line int, place int, username citext, role text, listed bool, position int | account_id int',
  s_addon_category: 'line int, place int, app text, slug text | category_id int',
  s_tag: 'line int, tag text',
  s_preview: `line int, place int, id int, caption jsonb, image_width int, image_height int, thumbnail_width int,
    thumbnail_height int, image_sha256 text, thumbnail_sha256 text | preview_id int`,
  /** With a column for each declared field that catalogue files have. */
  s_version: `line int, place int, id int, version text, channel text, stage text,
    manifest_compatibility jsonb, reviewed timestamptz, deleted bool, created timestamptz, license_builtin text,
    license_name jsonb, license_text jsonb, license_url text, license_key text | version_id int, license_id int`,
  s_compatibility: 'line int, place int, app text, min text, max text, min_code bigint, max_code bigint',
  s_file: `line int, version_place int, place int, id int, name text, platform text, status int, size bigint, sha256 text,
    permissions text[], optional_permissions text[], host_permissions text[], data_collection_permissions text[], optional_data_collection_permissions text[], status_when_enabled int, is_webextension bool, is_restart_required bool, is_vendor_signed_extension bool, is_stored bool,
    format text, created timestamptz | file_id int, version_id int`,
  s_featured: 'line int, guid citext, app text, locale text, category text | addon_id int',
  s_fallback: 'line int, guid citext, position int',
  s_collection: 'line int, path citext, guids text[]',
  s_account_collection: `line int, uuid text, account citext, slug citext, name jsonb, description jsonb, default_locale text,
    is_public bool, created timestamptz, modified timestamptz`,
  s_collection_item: 'line int, place int, guid citext, notes jsonb, added timestamptz',
  s_discovery: 'line int, edition text, locale text',
  s_discovery_entry: 'line int, place int, guid citext, heading jsonb, description jsonb',
  s_hero: 'line int, secondary jsonb',
  s_hero_entry: `line int, place int, guid citext, external jsonb, gradient_start text, gradient_end text, featured_image text,
    description jsonb`,
  s_mapping: 'line int, browser text, extension_id text, guid citext',
  s_replacement: 'line int, guid citext, path text, guids text[]',
  s_override: 'line int, guid citext, name text',
  s_override_range: `line int, place int, addon_min_version text, addon_max_version text, app text, min_version text,
    max_version text`,
  /** Changed rows of other tables that documents show. */
  s_changed: 'what text, id int',
  s_rating: `line int, id int, guid citext, username citext, version text, reply_to int, score int, body text, hold_reason text,
    deleted bool, created timestamptz, updated timestamptz | addon_id int, account_id int, version_id int`,
  s_statistics: 'line int, guid citext, day date, users int, downloads int | addon_id int',
} as const;

type Tables = typeof TABLES;
export type StagedTable = keyof Tables;

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trimmed<Rest> : Text;
type NamesIn<Columns extends string> = Columns extends `${infer First},${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : Trimmed<Columns> extends `${infer Name} ${string}`
    ? Name
    : never;
type Given<Columns extends string> = Columns extends `${infer Before}|${string}` ? Before : Columns;

/** The columns from the file, by name. Further keys are ignored. */
export type StagedRow<Table extends StagedTable> = Readonly<
  Record<
    | NamesIn<Given<Tables[Table]>>
    | (Table extends 's_addon' ? ListingColumn : never)
    | (Table extends 's_version' ? CatalogueColumn : never),
    unknown
  >
>;

const SQL_TYPES = { texts: 'jsonb', html: 'jsonb', text: 'text', flag: 'bool' } as const;
/** The columns of declared fields, by table. */
const DECLARED: Readonly<Record<string, string[]>> = Object.fromEntries(
  Object.entries({ s_addon: listingFields, s_version: catalogueFields }).map(([table, fields]) => [
    table,
    fields.map(({ column, kind }) => `${column} ${SQL_TYPES[kind]}`),
  ]),
);

/** Tables of an add-on's parts; rows refer to it by line. */
export const ADDON_PARTS = [
  's_persona',
  's_author',
  's_addon_category',
  's_tag',
  's_preview',
  's_version',
  's_compatibility',
  's_file',
] as const;

const definitions = Object.entries(TABLES).map(([table, columns]) => {
  const [stated = '', decided] = columns.split('|').map((part) => part.replace(/\s+/g, ' ').trim());
  const given = [stated, ...(DECLARED[table] ?? [])].join(', ');
  const joined = given.split(', ').filter((column) => /^\S+ (?:int|citext)$/.test(column));
  return {
    table,
    given,
    all: decided === undefined ? given : `${given}, ${decided}`,
    joined: joined.map((column) => column.split(' ')[0]),
  };
});

/** The statement that adds rows to a table: a JSON list of objects. */
const INSERTS = new Map<string, string>(
  definitions.map(({ table, given }) => {
    const names = given.split(', ').map((column) => column.split(' ')[0]);
    return [
      table,
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.join(', ')} FROM json_to_recordset($1) AS row(${given})`,
    ];
  }),
);

/** Characters that trigger a flush. */
const BUFFERED_CHARACTERS = 2_000_000;

export class Staging {
  /** Pictures already stored by this import. */
  readonly pictures = new PictureCache();
  readonly #session: BulkSession;
  readonly #rows = new Map<StagedTable, string[]>();
  #buffered = 0;
  #sending: Promise<void> = Promise.resolve();

  private constructor(session: BulkSession) {
    this.#session = session;
  }

  /** Creates the tables in the session's transaction. */
  static async create(session: BulkSession): Promise<Staging> {
    await session.query(
      definitions.map(({ table, all }) => `CREATE TEMPORARY TABLE ${table} (${all}) ON COMMIT DROP`).join(';'),
    );
    return new Staging(session);
  }

  add<Table extends StagedTable>(table: Table, values: StagedRow<Table>): void {
    const row = JSON.stringify(values);
    const rows = this.#rows.get(table);
    if (rows) rows.push(row);
    else this.#rows.set(table, [row]);
    this.#buffered += row.length;
  }

  /** Whether `flush` is due. */
  get isFull(): boolean {
    return this.#buffered >= BUFFERED_CHARACTERS;
  }

  /** Sends added rows after those of the previous flush have arrived. More can be added while they are sent. */
  async flush(): Promise<void> {
    const texts = [...this.#rows].map(([table, rows]) => [table, `[${rows.join()}]`] as const);
    this.#rows.clear();
    this.#buffered = 0;
    await this.#sending;
    this.#sending = this.#send(texts);
    // The next await throws the error; until then it must not count as unhandled.
    this.#sending.catch(() => {});
  }

  async #send(texts: readonly (readonly [StagedTable, string])[]): Promise<void> {
    for (const [table, text] of texts) await this.#session.query(INSERTS.get(table) ?? '', [text]);
  }

  /** Sends the remaining rows and analyses the columns that are joined. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#sending;
    await this.#session.query(
      definitions.map(({ table, joined }) => `ANALYZE ${table} (${joined.join(', ')})`).join(';'),
    );
  }
}
