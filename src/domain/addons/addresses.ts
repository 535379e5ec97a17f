/* URLs of an add-on's pages and pictures, as responses contain them. */
import { config } from '../../config.ts';
import { pictureUrl } from '../../infra/pictures/picture-address.ts';

interface Named {
  id: number;
  slug: string | null;
}

/** The path segment of an add-on in page URLs. A deleted add-on has no slug, so its id is used. */
const pathSegment = ({ id, slug }: Named): string => encodeURIComponent(slug ?? String(id));

export const addonPageUrl = (addon: Named): string => `${config.BASE_URL}/addon/${pathSegment(addon)}/`;
export const ratingsPageUrl = (addon: Named): string => `${config.BASE_URL}/addon/${pathSegment(addon)}/reviews/`;
export const reviewPageUrl = (addon: Named): string => `${config.BASE_URL}/reviewers/review/${pathSegment(addon)}`;
/** The path of a page of an add-on in the developer hub, such as `edit`. */
export const hubPath = (addon: Named, page: string): string => `/developers/addon/${pathSegment(addon)}/${page}`;
export const addonEditUrl = (addon: Named): string => config.BASE_URL + hubPath(addon, 'edit');
export const versionPageUrl = (addon: Named, version: string): string =>
  `${config.BASE_URL}/addon/${pathSegment(addon)}/versions/${encodeURIComponent(version)}/`;
export const versionEditUrl = (addon: Named, versionId: number): string =>
  config.BASE_URL + hubPath(addon, `versions/${versionId}`);

/** Address of the release notes of a version. Browsers replace the word by the language of the user. */
export const releaseNotesUrl = (addon: Named, version: string): string =>
  `${config.BASE_URL}/%APP_LOCALE%/addon/${pathSegment(addon)}/versions/${encodeURIComponent(version)}/updateinfo/`;

/** Download URL of a file. Public files need no credentials. */
export const fileDownloadUrl = (id: number, name: string): string =>
  `${config.BASE_URL}/downloads/file/${id}/${encodeURIComponent(name)}?src=`;

/** Download URL of the source code of a version, which requires credentials. */
export const sourceDownloadUrl = (addonId: number, versionId: number): string =>
  `${config.BASE_URL}/api/v5/addons/addon/${addonId}/versions/${versionId}/source/`;

/** URL of the update manifest of an unlisted add-on. The key is the permission to read it. */
export const updateManifestUrl = (guid: string, key: string): string => `${ownUpdates(guid, key)}/updates.json`;

/** Download URL of a file in such a manifest, which needs no credentials. */
export const updateFileUrl = (guid: string, key: string, fileId: number, name: string): string =>
  `${ownUpdates(guid, key)}/${fileId}/${encodeURIComponent(name)}`;

const ownUpdates = (guid: string, key: string): string =>
  `${config.BASE_URL}/updates/${encodeURIComponent(guid)}/${key}`;

/** Widths of icons, in pixels. */
export const ICON_SIZES = [32, 64] as const;

type IconSize = (typeof ICON_SIZES)[number];

/** The icon URL of an add-on. Fallbacks: for a persona an icon made from its header, else the default icon. */
export function addonIconUrl(
  addon: { id: number; iconSha256: string | null; persona: { headerSha256: string | null } | null },
  size: IconSize,
): string {
  if (addon.iconSha256 !== null) return pictureUrl(`addons/${addon.id}/icon-${size}`, addon.iconSha256);
  const header = addon.persona?.headerSha256 ?? null;
  if (header !== null) return personaPictureUrl(addon.id, size === 32 ? 'icon' : 'icon-64', header);
  return `${config.BASE_URL}/static/img/addon-icon-${size}.png?modified=00000000`;
}

/** A preview without pictures, such as after an import without files, has the URL of a placeholder. */
const previewPicture = (id: number, which: 'image' | 'thumbnail', sha256: string | null): string =>
  sha256 === null
    ? `${config.BASE_URL}/static/img/no-preview.png?modified=00000000`
    : pictureUrl(`previews/${id}/${which}`, sha256);

export const previewImageUrl = (id: number, sha256: string | null): string => previewPicture(id, 'image', sha256);
export const previewThumbnailUrl = (id: number, sha256: string | null): string =>
  previewPicture(id, 'thumbnail', sha256);

/** URL of a picture of a persona, or '' if it has none. The preview and the icons are made from the header. */
export const personaPictureUrl = (
  addonId: number,
  which: 'header' | 'footer' | 'preview' | 'icon' | 'icon-64',
  sha256: string | null,
): string => (sha256 === null ? '' : pictureUrl(`personas/${addonId}/${which}`, sha256));

export const personaUpdateUrl = (addonId: number): string => `${config.BASE_URL}/themes/update-check/${addonId}`;
