import { createHash } from 'node:crypto';
import { config } from '../../config.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { FILE_STATUS } from '../../package/words.ts';
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
  const { theme_data: theme } = addon;
  if (addon.type === 'persona') {
    const names = ['theme_data.header_path', 'theme_data.footer_path'];
    const hashes = names.map((name) => stored.pictures.get(name)?.sha256 ?? null);
    staging.add('s_persona', [line, theme?.accentcolor ?? null, theme?.textcolor ?? null, ...hashes]);
  }
  addon.authors.forEach(({ username, role, listed, position }, place) => {
    staging.add('s_author', [line, place, username, role, listed, position ?? place]);
  });
  addon.categories.forEach(([app, slugs]) => {
    for (const slug of new Set(slugs)) staging.add('s_addon_category', [line, slugs.indexOf(slug), app, slug]);
  });
  for (const tag of new Set(addon.tags)) staging.add('s_tag', [line, tag]);
  stagePreviews(staging, line, addon, stored);
  addon.versions.forEach((version, place) => {
    stageVersion(staging, line, place, { addon, version, stored });
  });
}

function stageRow(staging: Staging, line: number, addon: AddonLine, stored: StoredFiles): void {
  const isDeleted = addon.deleted || addon.status === 'deleted';
  const isWebExtension = addon.versions.some(({ files }) => files.some((file) => file.is_webextension));
  const { ratings } = addon;
  const targetLocale = addon.versions.flatMap(({ files }) =>
    files.map(({ path }) => stored.packages.get(path ?? '')?.manifest.targetLocale ?? null),
  );
  staging.add('s_addon', [
    ...[line, addon.id, addon.guid, addon.slug, addon.type, isDeleted ? 'deleted' : addon.status],
    ...[addon.default_locale ?? config.DEFAULT_LOCALE, addon.name, addon.summary, addon.description],
    ...[addon.developer_comments ?? addon['developer comments'] ?? {}, addon.homepage, addon.support_email],
    ...[addon.support_url, addon.eula, addon.privacy_policy, addon.contributions_url],
    stored.pictures.get('icon_path')?.sha256 ?? null,
    ...[addon.is_disabled_by_developer, addon.is_experimental, addon.is_source_public, addon.public_stats],
    ...[addon.requires_payment, addon.requires_sensitive_data_access, addon.average_daily_users],
    ...[addon.weekly_downloads, addon.hotness, ratings.count, ratings.text_count, ratings.average],
    ...[ratings.bayesian_average, addon.e10s ?? (isWebExtension ? 'compatible-webextension' : null)],
    targetLocale.find((locale) => locale !== null) ?? addon.target_locale,
    ...[addon.locale_disambiguation, addon.created, addon.last_updated, isDeleted],
  ]);
}

function stagePreviews(staging: Staging, line: number, { previews }: AddonLine, { pictures }: StoredFiles): void {
  previews.forEach(({ id, caption, image_size, thumbnail_size }, place) => {
    const image = pictures.get(`previews[${place}].path`);
    const thumbnail = image?.renditions[0];
    const sizeOf = (picture: PictureSize) => [picture.width, picture.height];
    const sizes = [image ? sizeOf(image) : image_size, thumbnail ? sizeOf(thumbnail) : thumbnail_size].flat();
    const hashes = [image, thumbnail].map((picture) => picture?.sha256 ?? null);
    staging.add('s_preview', [line, place, id, caption, ...sizes, ...hashes]);
  });
}

interface VersionOfAddon {
  addon: AddonLine;
  version: VersionLine;
  stored: StoredFiles;
}

const codeOf = (version: string): number => encodeApplicationVersion(version) ?? 0;

function stageVersion(staging: Staging, line: number, place: number, { addon, version, stored }: VersionOfAddon): void {
  staging.add('s_version', [
    ...[line, place, version.id, version.version, version.channel, stageOf(version.files), version.release_notes],
    ...[version.is_strict_compatibility_enabled, version.reviewed, version.deleted, version.created],
    ...licenseColumns(version),
  ]);
  for (const [app, { min, max }] of version.compatibility) {
    staging.add('s_compatibility', [line, place, app, min, max, codeOf(min), codeOf(max)]);
  }
  const compatibility = Object.fromEntries(version.compatibility);
  version.files.forEach((file, filePlace) => {
    const kept = stored.packages.get(file.path ?? '');
    const format = kept?.manifest.format ?? formatOf(addon, file);
    const named = { compatibility, format, defaultLocale: addon.default_locale };
    staging.add('s_file', [
      ...[line, place, filePlace, file.id, fileNameFor(addon.name, addon.guid, version.version, named)],
      ...[file.platform, file.status, kept?.size ?? file.size ?? 0, kept?.sha256 ?? hashOf(file), file.permissions],
      ...[file.optional_permissions, file.host_permissions, file.data_collection_permissions],
      ...[file.optional_data_collection_permissions, statusWhenEnabled(file)],
      ...[file.is_webextension, file.is_restart_required, file.is_vendor_signed_extension, kept !== undefined],
      ...[format, file.created],
    ]);
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
  if (license === null) return [null, null, null, null, null];
  const { builtin, name, text, url } = license;
  if (builtin !== null) return [builtin, null, null, null, null];
  const parts = [name, text].map((texts) => Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));
  const key = createHash('md5')
    .update(JSON.stringify([parts, url]))
    .digest('hex');
  return [null, name, text, url, key];
}
