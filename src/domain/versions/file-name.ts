import type { Compatibility, ManifestTexts } from '../../package/manifest/package-manifest.ts';

const SHORT_NAMES = { desktop_browser: 'db', mobile_browser: 'mb', suite_app: 'sa', mail_client: 'mc' } as const;

/** Replaces everything but ASCII letters, digits and dots with single underscores. */
function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9.]+/g, '_')
    .replace(/^[_.]+|[_.]+$/g, '')
    .slice(0, 100);
}

/**
 * The download name of a file: add-on name, version and short application names. The guid replaces a name without Latin
 * letters. The name is for users only; lookups use the id.
 */
export function fileNameFor(
  names: ManifestTexts,
  guid: string,
  version: string,
  manifest: { compatibility: Compatibility; format: string; defaultLocale: string | null },
): string {
  const apps = Object.entries(SHORT_NAMES)
    .filter(([app]) => app in manifest.compatibility)
    .map(([, short]) => short)
    .sort()
    .join('+');
  const name = names[manifest.defaultLocale ?? ''] ?? names['en-US'] ?? Object.values(names)[0] ?? '';
  const extension = manifest.format === 'opensearch' ? 'xml' : 'xpi';
  const parts = [toAscii(name).toLowerCase() || toAscii(guid) || 'addon', toAscii(version), apps];
  return `${parts.filter((part) => part !== '').join('-')}.${extension}`;
}
