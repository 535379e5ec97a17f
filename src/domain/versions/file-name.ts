import type { Compatibility, LocalizedText } from '../../package/manifest/package-manifest.ts';

const SHORT_NAMES = { desktop_browser: 'db', mobile_browser: 'mb', suite_app: 'sa', mail_client: 'mc' } as const;

/** ASCII letters and digits of a text, everything else folded into single underscores. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9.]+/g, '_')
    .replace(/^[_.]+|[_.]+$/g, '')
    .slice(0, 100);
}

/**
 * The name under which a file is offered: the name that the package gives itself (its id, where that has no Latin
 * letters), the version, the short names of its applications. It only makes the file recognisable on a disk; nothing
 * looks a file up by it.
 */
export function fileNameFor(
  names: LocalizedText,
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
  const parts = [plain(name).toLowerCase() || plain(guid) || 'addon', plain(version), apps];
  return `${parts.filter((part) => part !== '').join('-')}.${extension}`;
}
