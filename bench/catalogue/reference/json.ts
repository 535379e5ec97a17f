/*
 * Hand-written mapping from rows of the aggregate statement to the documented JSON (contract, Add-on). The service's functions
 * build URLs, account names and wrapped links.
 */
import { accountName } from '../../../src/domain/accounts/account-names.ts';
import * as accountAddresses from '../../../src/domain/accounts/actor.ts';
import * as addresses from '../../../src/domain/addons/addresses.ts';
import { wrapLinksInHtml } from '../../../src/rest/links.ts';

type Texts = Record<string, string>;

interface FileRow {
  id: number;
  created: string;
  sha256: string;
  is_vendor_signed_extension: boolean;
  is_restart_required: boolean;
  is_webextension: boolean;
  permissions: string[];
  platform: string;
  size: number;
  status: number;
  name: string;
}

interface VersionRow {
  id: number;
  version: string;
  channel: string;
  is_strict_compatibility_enabled: boolean;
  reviewed: string | null;
  compatibility: { app: string; min: string; max: string }[];
  files: FileRow[];
  release_notes?: Texts | null;
  license?: { id: number; name: Texts | null; url: string | null } | null;
}

interface AuthorRow {
  id: number;
  username: string;
  display_name: string | null;
  has_chosen_username: boolean;
  picture_sha256: string | null;
}

interface PreviewRow {
  id: number;
  caption: Texts | null;
  image_sha256: string | null;
  image_width: number;
  image_height: number;
  thumbnail_sha256: string | null;
  thumbnail_width: number;
  thumbnail_height: number;
}

/** A row of the statements in `statements.ts`. */
export interface AddonRow {
  id: number;
  guid: string;
  slug: string | null;
  type: string;
  status: string;
  default_locale: string;
  name: Texts | null;
  summary: Texts | null;
  description: Texts | null;
  developer_comments: Texts | null;
  homepage: Texts | null;
  support_email: Texts | null;
  support_url: Texts | null;
  contributions_url: string | null;
  has_eula: boolean;
  has_privacy_policy: boolean;
  icon_sha256: string | null;
  is_experimental: boolean;
  is_source_public: boolean;
  public_stats: boolean;
  requires_payment: boolean;
  requires_sensitive_data_access: boolean;
  average_daily_users: number;
  weekly_downloads: number;
  rating_count: number;
  rating_text_count: number;
  rating_average: number;
  rating_bayesian: number;
  created: string;
  last_updated: string;
  tags: string[];
  categories: { app: string; slug: string; name: Texts }[];
  authors: AuthorRow[];
  previews: PreviewRow[];
  persona: {
    accent_color: string | null;
    text_color: string | null;
    header_sha256: string | null;
    footer_sha256: string | null;
  } | null;
  is_featured: boolean;
  current_version: VersionRow | null;
}

const htmlTexts = (texts: Texts | null) => wrapLinksInHtml(texts);

function authorJson(row: AuthorRow, isDetail: boolean) {
  const { id, username, display_name: displayName, has_chosen_username: hasChosenUsername } = row;
  return {
    id,
    name: accountName({ username, displayName, hasChosenUsername }),
    url: accountAddresses.accountPageUrl(username),
    username,
    picture_url: isDetail ? accountAddresses.accountPictureUrl(id, row.picture_sha256) : undefined,
  };
}

function previewJson(row: PreviewRow) {
  return {
    id: row.id,
    caption: row.caption,
    image_size: [row.image_width, row.image_height],
    image_url: addresses.previewImageUrl(row.id, row.image_sha256),
    thumbnail_size: [row.thumbnail_width, row.thumbnail_height],
    thumbnail_url: addresses.previewThumbnailUrl(row.id, row.thumbnail_sha256),
  };
}

function fileJson({ name, sha256, ...row }: FileRow) {
  return {
    id: row.id,
    created: row.created,
    hash: `sha256:${sha256}`,
    is_vendor_signed_extension: row.is_vendor_signed_extension,
    is_restart_required: row.is_restart_required,
    is_webextension: row.is_webextension,
    permissions: row.permissions,
    platform: row.platform,
    size: row.size,
    status: row.status,
    url: addresses.fileDownloadUrl(row.id, name),
  };
}

function versionJson(addon: AddonRow, row: VersionRow) {
  return {
    id: row.id,
    channel: row.channel,
    compatibility: Object.fromEntries(row.compatibility.map(({ app, min, max }) => [app, { min, max }])),
    edit_url: addresses.versionEditUrl(addon, row.id),
    files: row.files.map(fileJson),
    license: row.license,
    release_notes: row.release_notes === undefined ? undefined : htmlTexts(row.release_notes),
    reviewed: row.reviewed,
    is_strict_compatibility_enabled: row.is_strict_compatibility_enabled,
    url: addresses.versionPageUrl(addon, row.version),
    version: row.version,
  };
}

const color = (hex: string | null) => (hex ? `#${hex.replace(/^#/, '')}` : null);
const inLocale = (texts: Texts | null | undefined, locale: string) =>
  texts ? (texts['en-US'] ?? texts[locale] ?? null) : null;

function themeJson(addon: AddonRow, persona: NonNullable<AddonRow['persona']>) {
  const [author] = addon.authors;
  const header = addresses.personaPictureUrl(addon.id, 'header', persona.header_sha256);
  const footer = addresses.personaPictureUrl(addon.id, 'footer', persona.footer_sha256);
  return {
    id: String(addon.id),
    name: inLocale(addon.name, addon.default_locale),
    accentcolor: color(persona.accent_color),
    textcolor: color(persona.text_color),
    category: inLocale(addon.categories[0]?.name, 'en-US') ?? '',
    author: author ? authorJson(author, false).name : '',
    description: inLocale(addon.description, addon.default_locale),
    header,
    footer,
    headerURL: header,
    footerURL: footer,
    previewURL: addresses.personaPictureUrl(addon.id, 'preview', persona.header_sha256),
    iconURL: addresses.personaPictureUrl(addon.id, 'icon', persona.header_sha256) || iconOf(addon, 32),
    updateURL: addresses.personaUpdateUrl(addon.id),
    detailURL: addresses.addonPageUrl(addon),
    version: '1.0',
  };
}

function iconOf({ id, icon_sha256: iconSha256, persona }: AddonRow, size: 32 | 64) {
  return addresses.addonIconUrl({ id, iconSha256, persona: persona && { headerSha256: persona.header_sha256 } }, size);
}

function categoriesJson(rows: AddonRow['categories']) {
  const byApplication: Record<string, string[]> = {};
  for (const { app, slug } of rows) {
    const slugs = byApplication[app];
    if (slugs === undefined) byApplication[app] = [slug];
    else slugs.push(slug);
  }
  return byApplication;
}

/** The add-on in the detail form, or in that of search results. */
export function addonJson(row: AddonRow, isDetail: boolean) {
  const comments = htmlTexts(row.developer_comments);
  return {
    id: row.id,
    authors: row.authors.map((author) => authorJson(author, isDetail)),
    average_daily_users: row.average_daily_users,
    categories: categoriesJson(row.categories),
    contributions_url: row.contributions_url,
    created: row.created,
    current_version: row.current_version && versionJson(row, row.current_version),
    default_locale: row.default_locale,
    description: htmlTexts(row.description),
    'developer comments': comments,
    developer_comments: comments,
    edit_url: addresses.addonEditUrl(row),
    guid: row.guid,
    has_eula: row.has_eula,
    has_privacy_policy: row.has_privacy_policy,
    homepage: row.homepage,
    icon_url: iconOf(row, 32),
    icons: { 32: iconOf(row, 32), 64: iconOf(row, 64) },
    is_disabled: false,
    is_experimental: row.is_experimental,
    is_featured: row.is_featured,
    is_source_public: row.is_source_public,
    name: row.name,
    last_updated: row.last_updated,
    previews: row.previews.map(previewJson),
    public_stats: row.public_stats,
    ratings: {
      count: row.rating_count,
      text_count: row.rating_text_count,
      average: row.rating_average,
      bayesian_average: row.rating_bayesian,
    },
    ratings_url: addresses.ratingsPageUrl(row),
    requires_payment: row.requires_payment,
    requires_sensitive_data_access: row.requires_sensitive_data_access,
    review_url: addresses.reviewPageUrl(row),
    slug: row.slug,
    status: row.status,
    summary: row.summary,
    support_email: row.support_email,
    support_url: row.support_url,
    tags: row.tags,
    theme_data: row.type === 'persona' && row.persona ? themeJson(row, row.persona) : undefined,
    type: row.type,
    url: addresses.addonPageUrl(row),
    weekly_downloads: row.type === 'persona' ? undefined : row.weekly_downloads,
  };
}
