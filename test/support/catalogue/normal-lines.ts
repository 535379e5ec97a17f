/*
 * The lines that an export writes for imported lines, computed from the lines alone: with every key, without derived values, and
 * with unordered lists sorted.
 */
import { cleanHtml } from '../../../src/domain/addons/clean-html.ts';
import { listingFields } from '../../../src/domain/listing/fields.ts';
import type { Line } from './random-lines.ts';

type Values = Record<string, unknown>;
type Texts = Record<string, string | null> | null | undefined;

function texts(field: unknown, clean = (text: string) => text): Values | null {
  const kept = Object.entries((field as Texts) ?? {})
    .map(([locale, text]) => [locale, clean((text ?? '').trim())] as const)
    .filter(([, text]) => text !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
const html = (field: unknown) => texts(field, cleanHtml);
const or = <T>(value: unknown, fallback: T): T => (value === undefined || value === null ? fallback : (value as T));

const BUILTIN: Values = {
  'MPL-2.0': 'Mozilla Public License 2.0',
  MIT: 'MIT License',
  'all-rights-reserved': 'All Rights Reserved',
};

function license(given: Values | null | undefined): Values | null {
  if (given == null) return null;
  const { builtin } = given as { builtin?: string };
  if (builtin === undefined)
    return { builtin: null, name: texts(given.name), text: html(given.text), url: or(given.url, null) };
  const url = builtin === 'all-rights-reserved' ? null : `https://spdx.org/licenses/${builtin}.html`;
  return { builtin, name: { 'en-US': BUILTIN[builtin] }, text: null, url };
}

function file(given: Values): Values {
  return {
    id: given.id,
    created: given.created,
    hash: given.hash,
    is_vendor_signed_extension: or(given.is_vendor_signed_extension, false),
    is_restart_required: or(given.is_restart_required, false),
    is_webextension: or(given.is_webextension, false),
    permissions: or(given.permissions, []),
    optional_permissions: or(given.optional_permissions, []),
    host_permissions: or(given.host_permissions, []),
    data_collection_permissions: or(given.data_collection_permissions, []),
    optional_data_collection_permissions: or(given.optional_data_collection_permissions, []),
    status_when_enabled: given.status === 5 ? or(given.status_when_enabled, null) : null,
    platform: or(given.platform, 'all'),
    size: or(given.size, 0),
    status: given.status,
  };
}

const sorted = (object: unknown): Values =>
  Object.fromEntries(Object.entries((object ?? {}) as Values).sort(([one], [other]) => (one < other ? -1 : 1)));

function version(given: Values): Values {
  return {
    id: given.id,
    channel: given.channel,
    compatibility: sorted(given.compatibility),
    files: or<Values[]>(given.files, []).map(file),
    license: license(given.license as Values),
    release_notes: html(given.release_notes),
    reviewed: or(given.reviewed, null),
    is_strict_compatibility_enabled: or(given.is_strict_compatibility_enabled, false),
    version: given.version,
    created: given.created,
    deleted: or(given.deleted, false),
  };
}

/** An add-on with unlisted versions only is not part of the public catalogue. */
function statusOf({ type, status }: Line, versions: readonly Values[]): unknown {
  const living = versions.filter(({ deleted }) => !deleted);
  const isHidden = type !== 'persona' && living.length > 0 && living.every(({ channel }) => channel === 'unlisted');
  return isHidden && (status === 'public' || status === 'nominated') ? 'incomplete' : status;
}

/** A listing field of each kind. */
const OF_KIND = {
  texts,
  html,
  text: (value: unknown) => or(value, null),
  flag: (value: unknown) => or(value, false),
};

function addon(given: Line): Values {
  const isDeleted = given.status === 'deleted' || given.deleted === true;
  const versions = or<Values[]>(given.versions, []).map(version);
  const isWebExtension = versions.some(({ files }) => (files as Values[]).some((each) => each.is_webextension));
  const ratings = or<Values>(given.ratings, {});
  const theme = or<Values>(given.theme_data, {});
  return {
    kind: 'addon',
    id: given.id,
    guid: given.guid,
    slug: given.slug,
    type: given.type,
    status: isDeleted ? 'deleted' : statusOf(given, versions),
    ...Object.fromEntries(listingFields.map(({ column, kind }) => [column, OF_KIND[kind](given[column])])),
    default_locale: given.default_locale,
    created: given.created,
    last_updated: given.last_updated,
    tags: [...new Set(or<string[]>(given.tags, []).map((tag) => tag.trim().toLowerCase()))].toSorted((one, other) =>
      Buffer.compare(Buffer.from(one), Buffer.from(other)),
    ),
    categories: sorted(given.categories),
    average_daily_users: or(given.average_daily_users, 0),
    weekly_downloads: or(given.weekly_downloads, 0),
    hotness: or(given.hotness, 0),
    ratings: Object.fromEntries(
      ['count', 'text_count', 'average', 'bayesian_average'].map((name) => [name, or(ratings[name], 0)]),
    ),
    previews: or<Values[]>(given.previews, []).map(({ id, caption, image_size, thumbnail_size }) => ({
      id,
      caption: texts(caption),
      image_size,
      thumbnail_size: or(thumbnail_size, [0, 0]),
    })),
    theme_data:
      given.type === 'persona'
        ? { accentcolor: or(theme.accentcolor, null), textcolor: or(theme.textcolor, null) }
        : null,
    authors: (given.authors as Values[]).toSorted((one, other) => Number(one.position) - Number(other.position)),
    e10s: or(given.e10s, isWebExtension ? 'compatible-webextension' : 'unknown'),
    deleted: isDeleted,
    versions,
  };
}

function account(given: Line): Values {
  const { kind, id, username, email, created, groups, is_verified, deleted } = given;
  const plain = ['display_name', 'biography', 'homepage', 'location', 'occupation', 'read_dev_agreement'];
  return {
    ...{ kind, id, username, email, created },
    ...Object.fromEntries(plain.map((name) => [name, or(given[name], null)])),
    is_verified: or(is_verified, false),
    deleted: or(deleted, false),
    groups: (groups as string[]).toSorted(),
  };
}

const APPLICATIONS: Readonly<Record<string, object>> = {
  desktop_browser: { id: 1, guid: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}' },
  mail_client: { id: 18, guid: '{3550f703-e582-4d05-9a08-453d09bdfdc6}' },
  suite_app: { id: 59, guid: '{92650c4d-4b8e-4d2a-b7eb-24ecf4f6b63a}' },
  mobile_browser: { id: 61, guid: '{aa3c5121-dab2-40e2-81ca-7ea25febc110}' },
};

/** The line that an export writes for an imported one. */
export function normalLine(given: Line, idOf: (guid: string) => unknown): Values {
  if (given.kind === 'addon') return addon(given);
  if (given.kind === 'account') return account(given);
  if (given.kind === 'replacement')
    return { ...given, path: or(given.path, null), replacement: or(given.replacement, null) };
  if (given.kind !== 'compat_override') return given;
  const ranges = (given.version_ranges as Values[]).map((range) => ({
    ...range,
    applications: (range.applications as Values[]).map((each) => ({ ...each, ...APPLICATIONS[String(each.name)] })),
  }));
  return { ...given, addon_id: idOf(String(given.addon_guid)), version_ranges: ranges };
}
