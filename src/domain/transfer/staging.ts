/*
 * Where the lines of a catalogue wait until all of them are known to fit: temporary tables of the session, which nobody else
 * sees and which are gone when the transaction ends, however it ends. They are filled by COPY, some megabytes at a time.
 */
import { type BulkSession, type CopyValue, copyRow } from '../../infra/bulk-session.ts';
import { KnownPictures } from './stored-files.ts';

/** Columns that the file gives, by table. Those after the bar are found or decided later, in SQL. */
const TABLES = {
  s_application_version: 'line int, app text, version text, code bigint',
  s_category: 'line int, id int, app text, type text, slug text, name jsonb, weight int',
  s_account: `line int, id int, username citext, display_name text, email citext, created timestamptz, biography text,
    homepage text, location text, occupation text, is_verified bool, read_dev_agreement timestamptz, deleted bool,
    groups citext[], picture_sha256 text | account_id int`,
  s_addon: `line int, id int, guid citext, slug citext, type text, status text, default_locale text, name jsonb, summary jsonb,
    description jsonb, developer_comments jsonb, homepage jsonb, support_email jsonb, support_url jsonb, eula jsonb,
    privacy_policy jsonb, contributions_url text, icon_sha256 text, is_disabled_by_developer bool, is_experimental bool,
    is_source_public bool, public_stats bool, requires_payment bool, requires_sensitive_data_access bool,
    average_daily_users int, weekly_downloads int, hotness float8, rating_count int, rating_text_count int,
    rating_average float8, rating_bayesian float8, e10s text, target_locale text, locale_disambiguation text,
    created timestamptz, last_updated timestamptz, is_deleted bool`,
  s_persona: `line int, accent_color text, text_color text, header_sha256 text, footer_sha256 text`,
  s_author: 'line int, place int, username citext, role text, listed bool, position int | account_id int',
  s_addon_category: 'line int, place int, app text, slug text | category_id int',
  s_tag: 'line int, tag text',
  s_preview: `line int, place int, id int, caption jsonb, image_width int, image_height int, thumbnail_width int,
    thumbnail_height int, image_sha256 text, thumbnail_sha256 text | preview_id int`,
  s_version: `line int, place int, id int, version text, channel text, stage text, release_notes jsonb,
    is_strict_compatibility_enabled bool, reviewed timestamptz, deleted bool, created timestamptz, license_builtin text,
    license_name jsonb, license_text jsonb, license_url text, license_key text | version_id int, license_id int`,
  s_compatibility: 'line int, place int, app text, min text, max text, min_code bigint, max_code bigint',
  s_file: `line int, version_place int, place int, id int, name text, platform text, status int, size bigint, sha256 text,
    permissions text[], is_webextension bool, is_restart_required bool, is_vendor_signed_extension bool, is_stored bool,
    format text, created timestamptz | file_id int, version_id int`,
  s_featured: 'line int, guid citext, app text, locale text, category text | addon_id int',
  s_fallback: 'line int, guid citext, position int',
  s_collection: 'line int, path citext, guids text[]',
  s_replacement: 'line int, guid citext, path text, guids text[]',
  s_override: 'line int, guid citext, name text',
  s_override_range: `line int, place int, addon_min_version text, addon_max_version text, app text, min_version text,
    max_version text`,
  /** Rows of other tables that were changed, and that documents show. */
  s_changed: 'what text, id int',
  s_statistics: 'line int, guid citext, day date, users int, downloads int | addon_id int',
} as const;

export type StagedTable = keyof typeof TABLES;

/** The tables of an add-on's parts; a row names its add-on by the line. */
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
  const [given = '', decided] = columns.split('|').map((part) => part.replace(/\s+/g, ' ').trim());
  const names = given.split(', ').map((column) => column.split(' ')[0] ?? '');
  const joined = given.split(', ').filter((column) => /^\S+ (?:int|citext)$/.test(column));
  return {
    table,
    names,
    all: decided === undefined ? given : `${given}, ${decided}`,
    joined: joined.map((column) => column.split(' ')[0]),
  };
});
const columnsOf = new Map(definitions.map(({ table, names }) => [table, names]));

/** Rows go to the server when so much text has come together. */
const BUFFERED_CHARACTERS = 2_000_000;

/** The staging tables of one import. */
export class Staging {
  /** What was made of the pictures that lines name. */
  readonly pictures = new KnownPictures();
  readonly #session: BulkSession;
  readonly #rows = new Map<StagedTable, string[]>();
  #buffered = 0;
  #sending: Promise<void> = Promise.resolve();

  private constructor(session: BulkSession) {
    this.#session = session;
  }

  /** Makes the tables in the transaction that the session is in. */
  static async create(session: BulkSession): Promise<Staging> {
    await session.query(
      definitions.map(({ table, all }) => `CREATE TEMPORARY TABLE ${table} (${all}) ON COMMIT DROP`).join(';'),
    );
    return new Staging(session);
  }

  /** Adds a row: values in the order of the columns that the file gives. */
  add(table: StagedTable, values: readonly CopyValue[]): void {
    const row = copyRow(values);
    const rows = this.#rows.get(table);
    if (rows) rows.push(row);
    else this.#rows.set(table, [row]);
    this.#buffered += row.length;
  }

  /** Whether it is time to call `flush`. */
  get isFull(): boolean {
    return this.#buffered >= BUFFERED_CHARACTERS;
  }

  /** Sends what has been added, as soon as what was sent before is there. More may be added meanwhile. */
  async flush(): Promise<void> {
    const texts = [...this.#rows].map(([table, rows]) => [table, rows.join('')] as const);
    this.#rows.clear();
    this.#buffered = 0;
    await this.#sending;
    this.#sending = this.#send(texts);
    // Whoever waits for it next sees the error; until then it is not one that nobody handles.
    this.#sending.catch(() => {});
  }

  async #send(texts: readonly (readonly [StagedTable, string])[]): Promise<void> {
    for (const [table, text] of texts) await this.#session.copy(table, columnsOf.get(table) ?? [], text);
  }

  /** To be called when all rows are in: the planner learns how many there are, and of what joins them. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#sending;
    await this.#session.query(
      definitions.map(({ table, joined }) => `ANALYZE ${table} (${joined.join(', ')})`).join(';'),
    );
  }
}
