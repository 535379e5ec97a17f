import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { pool, prepared } from '../../infra/db.ts';
import { encodeSingleVersion, floorApplicationVersion } from '../../package/application-version.ts';
import type { AddonType, Application } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { type DocumentKey, KEY_COLUMNS, KEY_JOIN, loadPublic } from '../addons/load-documents.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { newestCompatible } from '../versions/compatible-version.ts';
import { Version } from '../versions/version.ts';
import { readNames } from './read-names.ts';

/** A language pack or dictionary. */
interface LanguageToolRow {
  addon: AddonDocument;
  /** The newest public version of a language pack for the requested application version; null if none was requested. */
  compatibleVersion: VersionDocument | null;
}

/** Filters by their documented parameter names. */
interface LanguageToolFilter {
  app: Application;
  appVersion?: string | null;
  type?: AddonType | null;
  /** Usernames of listed authors; any may match. */
  authorNames?: readonly string[] | null;
}

const KINDS: readonly AddonType[] = ['language', 'dictionary'];

/**
 * The code of the requested application version, or null.
 * @throws {InvalidInputError} unless it is a single version from 10.0 on, and for a version without a type.
 */
function readVersion({ appVersion, type }: LanguageToolFilter): number | null {
  if (appVersion == null) return null;
  const name = 'appVersion';
  const code = encodeSingleVersion(appVersion);
  if (code === null) {
    throw refusedField(name, message('language_tools.invalid_app_version', { name, value: printable(appVersion) }));
  }
  if (type == null) throw refusedField('type', message('language_tools.no_type', { name }));
  return code;
}

/** A statement that selects add-ons, each with the id of its compatible version; null without a requested application version. */
const listing = (name: string, versions: string, condition: string) =>
  prepared<Key>(
    pool,
    name,
    `SELECT ${KEY_COLUMNS}, ${versions} AS "versionId" FROM addon a ${KEY_JOIN}
  WHERE ${IS_PUBLIC_ADDON} AND a.type = ANY($1) AND (a.type = 'dictionary' OR a.target_locale <> '') AND a.current_version_id IS NOT NULL
    AND ($2::text[] IS NULL OR EXISTS (
      SELECT FROM addon_author w JOIN account p ON p.id = w.account_id
      WHERE w.addon_id = a.id AND w.listed AND p.username = ANY($2::text[]::citext[])))
    AND ${condition}
  ORDER BY a.id`,
  );

/** A version without compatibility works with every application. */
const listForApplication = listing(
  'language-tools',
  'NULL::int',
  `(EXISTS (SELECT FROM version_compatibility c WHERE c.version_id = a.current_version_id AND c.app = $3)
    OR NOT EXISTS (SELECT FROM version_compatibility c WHERE c.version_id = a.current_version_id))`,
);

const listForVersion = listing(
  'language-packs-for-version',
  `(SELECT id FROM (${newestCompatible('a.id', '$3', '$4', '$5')}) AS newest)`,
  'true',
);

const readVersions = prepared<{ id: number; body: string }>(
  pool,
  'version-documents',
  'SELECT version_id AS id, body::text AS body FROM version_document WHERE version_id = ANY($1)',
);

interface Key extends DocumentKey {
  versionId: number | null;
}

/**
 * All public language packs and dictionaries for an application (contract, language-tools). Excludes language packs without a
 * locale, and those without a version for the requested application version. At most three statements.
 * @throws {InvalidInputError} keyed by the invalid parameter.
 */
async function listLanguageTools(filter: LanguageToolFilter): Promise<LanguageToolRow[]> {
  const code = readVersion(filter);
  const kinds = KINDS.filter((kind) => filter.type == null || filter.type === kind);
  if (kinds.length === 0) return [];
  const values = [kinds, readNames(filter.authorNames, 'authorNames'), filter.app];
  if (code === null || filter.type !== 'language') {
    const addons = await loadPublic(await listForApplication(...values));
    return addons.map((addon) => ({ addon, compatibleVersion: null }));
  }
  const keys = await listForVersion(...values, code, floorApplicationVersion(code));
  return withVersions(keys.filter(({ versionId }) => versionId !== null));
}

/** Takes current versions from the add-on documents and reads only the others. */
async function withVersions(keys: readonly Key[]): Promise<LanguageToolRow[]> {
  const versionOf = new Map(keys.map(({ id, versionId }) => [id, versionId ?? 0]));
  const addons = await loadPublic(keys);
  const others = addons
    .filter(({ id, currentVersion }) => currentVersion?.id !== versionOf.get(id))
    .map(({ id }) => versionOf.get(id) ?? 0);
  const documents = await loadVersions(others);
  return addons.flatMap((addon) => {
    const wanted = versionOf.get(addon.id) ?? 0;
    const version = addon.currentVersion?.id === wanted ? addon.currentVersion : documents.get(wanted);
    return version === undefined ? [] : [{ addon, compatibleVersion: version }];
  });
}

async function loadVersions(ids: readonly number[]): Promise<Map<number, VersionDocument>> {
  if (ids.length === 0) return new Map();
  return new Map((await readVersions(ids)).map(({ id, body }) => [id, JSON.parse(body) as VersionDocument]));
}

const LanguageTool = builder.objectRef<LanguageToolRow>('LanguageTool').implement({
  description: 'A public language pack or dictionary.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the add-on with compatibleVersion in client caches. `node` does not look it up.',
      resolve: ({ addon, compatibleVersion }) =>
        globalId('LanguageTool', addon.id, ...(compatibleVersion === null ? [] : [compatibleVersion.id])),
    }),
    compatibleVersion: t.field({
      type: Version,
      nullable: true,
      description: 'The newest version of a language pack for the requested appVersion; null without appVersion.',
      resolve: ({ compatibleVersion }) => compatibleVersion,
    }),
    addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ addon }) => addon }),
  }),
});

builder.queryField('languageTools', (t) =>
  t.field({
    type: [LanguageTool],
    description: 'All public language packs and dictionaries for an application, by database id.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true, description: 'The application that they work in.' }),
      appVersion: t.arg.string({
        description: 'Version of the application, such as 60.0; needs type. Language packs must work with it.',
      }),
      type: t.arg({ type: AddonTypeEnum, description: 'Only LANGUAGE or only DICTIONARY.' }),
      authorNames: t.arg.stringList({
        description: 'Usernames of listed authors; one must match. At most 500.',
      }),
    },
    extensions: { items: 300 },
    resolve: (_root, filter) => listLanguageTools(filter),
  }),
);
