import type { Compatibility } from '../../package/manifest/package-manifest.ts';

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
 * The name under which a file is offered: the add-on's slug, the version, the short names of its applications. It only
 * makes the file recognisable on a disk; nothing looks a file up by it.
 */
export function fileNameFor(
  slug: string,
  version: string,
  manifest: { compatibility: Compatibility; format: string },
): string {
  const apps = Object.entries(SHORT_NAMES)
    .filter(([app]) => app in manifest.compatibility)
    .map(([, short]) => short)
    .sort()
    .join('+');
  const extension = manifest.format === 'opensearch' ? 'xml' : 'xpi';
  return `${[plain(slug) || 'addon', plain(version), apps].filter((part) => part !== '').join('-')}.${extension}`;
}
