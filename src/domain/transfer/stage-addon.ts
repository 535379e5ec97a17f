import { createHash } from 'node:crypto';
import { config } from '../../config.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import type { PictureSize } from '../pictures/picture-kinds.ts';
import { fileNameFor } from '../versions/file-name.ts';
import type { AddonLine, FileLine, VersionLine } from './addon-line.ts';
import type { Staging } from './staging.ts';
import type { StoredFile, StoredFiles } from './stored-files.ts';

/** The status that a file of a disabled version gets back; null while its version is enabled. */
const statusWhenEnabled = ({ status, status_when_enabled: later }: FileLine): number | null =>
  status === FILE_STATUS.disabled ? later : null;

function stageOf(files: readonly FileLine[]): string {
  const statuses = files.map((file) => statusWhenEnabled(file) ?? file.status);
  if (statuses.includes(FILE_STATUS.awaitingReview)) return 'awaiting_review';
  const areRejected = statuses.length > 0 && statuses.every((status) => status === FILE_STATUS.disabled);
  return areRejected ? 'rejected' : 'signed';
}

/** Stages an add-on with all its parts. `stored` holds the results of storing its files. */
export function stageAddon(staging: Staging, line: number, addon: AddonLine, stored: StoredFiles): void {
  stageRow(staging, line, addon, stored);
  const sha256 = (key: string) => stored.pictures.get(key)?.sha256 ?? null;
  if (addon.type === 'persona') {
    staging.add('s_persona', {
      line,
      accent_color: addon.theme_data?.accentcolor,
      text_color: addon.theme_data?.textcolor,
      header_sha256: sha256('theme_data.header_path'),
      footer_sha256: sha256('theme_data.footer_path'),
    });
  }
  addon.authors.forEach((author, place) => {
    staging.add('s_author', { line, place, ...author, position: author.position ?? place });
  });
  addon.categories.forEach(([app, slugs]) => {
    for (const slug of new Set(slugs)) staging.add('s_addon_category', { line, place: slugs.indexOf(slug), app, slug });
  });
  for (const tag of new Set(addon.tags)) staging.add('s_tag', { line, tag });
  stagePreviews(staging, line, addon, stored);
  addon.versions.forEach((version, place) => {
    stageVersion(staging, line, place, { addon, version, stored });
  });
}

function stageRow(staging: Staging, line: number, addon: AddonLine, stored: StoredFiles): void {
  const { ratings, previews, authors, versions, tags, categories, theme_data, ...values } = addon;
  const isDeleted = addon.deleted || addon.status === 'deleted';
  const files = versions.flatMap((version) => version.files);
  const isWebExtension = files.some((file) => file.is_webextension);
  const targetLocales = files.map(({ path }) => stored.packages.get(path ?? '')?.manifest.targetLocale ?? null);
  staging.add('s_addon', {
    line,
    ...values,
    status: isDeleted ? 'deleted' : addon.status,
    default_locale: addon.default_locale ?? config.DEFAULT_LOCALE,
    developer_comments: addon.developer_comments ?? addon['developer comments'] ?? {},
    icon_sha256: stored.pictures.get('icon_path')?.sha256,
    rating_count: ratings.count,
    rating_text_count: ratings.text_count,
    rating_average: ratings.average,
    rating_bayesian: ratings.bayesian_average,
    imported_count: ratings.imported?.count ?? null,
    imported_text_count: ratings.imported?.text_count ?? null,
    imported_average: ratings.imported?.average ?? null,
    e10s: addon.e10s ?? (isWebExtension ? 'compatible-webextension' : null),
    target_locale: targetLocales.find((locale) => locale !== null) ?? addon.target_locale,
    is_deleted: isDeleted,
  });
}

function stagePreviews(staging: Staging, line: number, { previews }: AddonLine, { pictures }: StoredFiles): void {
  previews.forEach(({ id, caption, image_size, thumbnail_size }, place) => {
    const image = pictures.get(`previews[${place}].path`);
    const thumbnail = image?.renditions[0];
    const sizeOf = ({ width, height }: PictureSize) => [width, height] as const;
    const [image_width, image_height] = image ? sizeOf(image) : image_size;
    const [thumbnail_width, thumbnail_height] = thumbnail ? sizeOf(thumbnail) : thumbnail_size;
    const hashes = { image_sha256: image?.sha256, thumbnail_sha256: thumbnail?.sha256 };
    const sizes = { image_width, image_height, thumbnail_width, thumbnail_height };
    staging.add('s_preview', { line, place, id, caption, ...sizes, ...hashes });
  });
}

interface VersionOfAddon {
  addon: AddonLine;
  version: VersionLine;
  stored: StoredFiles;
}

const codeOf = (version: string): number => encodeApplicationVersion(version) ?? 0;

function stageVersion(staging: Staging, line: number, place: number, { addon, version, stored }: VersionOfAddon): void {
  const { files, license, compatibility: ranges, ...values } = version;
  const [limits] = files.flatMap(({ path }) => stored.packages.get(path ?? '')?.limits ?? []);
  staging.add('s_version', {
    line,
    place,
    ...values,
    manifest_compatibility: limits,
    stage: stageOf(files),
    ...licenseColumns(version),
  });
  for (const [app, { min, max }] of ranges) {
    staging.add('s_compatibility', { line, place, app, min, max, min_code: codeOf(min), max_code: codeOf(max) });
  }
  const compatibility = Object.fromEntries(ranges);
  files.forEach((file, filePlace) => {
    const kept = stored.packages.get(file.path ?? '');
    const format = kept?.manifest.format ?? formatOf(addon, file);
    const named = { compatibility, format, defaultLocale: addon.default_locale };
    staging.add('s_file', {
      line,
      version_place: place,
      place: filePlace,
      ...file,
      name: fileNameFor(addon.name, addon.guid, version.version, named),
      size: kept?.size ?? file.size ?? 0,
      sha256: kept?.sha256 ?? hashOf(file),
      status_when_enabled: statusWhenEnabled(file),
      is_stored: kept !== undefined,
      format,
    });
  });
}

const hashOf = ({ hash }: FileLine): string => (hash ?? '').slice('sha256:'.length).toLowerCase();

/** Guesses the format of a package that is not stored. */
function formatOf({ type }: AddonLine, file: FileLine): StoredFile['manifest']['format'] {
  if (file.is_webextension) return 'webextension';
  return type === 'search' ? 'opensearch' : 'install-rdf';
}

/** Columns of the licence: a built-in one, or a custom one with a key that identifies its content. */
function licenseColumns({ license }: VersionLine) {
  const custom = license?.builtin === null ? license : null;
  return {
    license_builtin: license?.builtin,
    license_name: custom?.name,
    license_text: custom?.text,
    license_url: custom?.url,
    license_key: custom && licenseKey(custom),
  };
}

function licenseKey({ name, text, url }: NonNullable<VersionLine['license']>): string {
  const parts = [name, text].map((texts) => Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));
  return createHash('md5')
    .update(JSON.stringify([parts, url]))
    .digest('hex');
}
