/* The packages of the demo catalogue: small, real add-ons. The same version is always the same bytes. */

import { demoManifest, escapeXml, openSearch, type PackageFiles } from '../../src/demo/packages.ts';
import { APPLICATION_IDS, type Application } from '../../src/package/enums.ts';
import type { WorldAddon } from './addon-line.ts';
import { extensionFiles } from './extension-files.ts';
import { blend, colourOf, gradient } from './picture.ts';
import type { VersionLine } from './versions.ts';

/** A version to pack, with the texts of its manifest. */
interface Packed extends WorldAddon {
  version: string;
  name: string;
  summary: string;
  compatibility: Partial<Record<Application, { min: string; max: string }>>;
  icon: Buffer;
}

/**
 * The package of a version of the demo catalogue: the files of an archive, or an OpenSearch description. `icon` is a PNG picture of
 * 64 by 64 pixels.
 */
export function packageOf({ plan, line }: WorldAddon, version: VersionLine, icon: Buffer): PackageFiles | Buffer {
  const textOf = (texts: unknown): string => (texts as Record<string, string>)[line.default_locale] ?? '';
  const [name, summary] = [textOf(line.name), textOf(line.summary)];
  const compatibility = version.compatibility as Packed['compatibility'];
  const packed = { plan, line, version: version.version, name, summary, compatibility, icon };
  if (plan.type === 'search') return openSearch(name, summary, plan.slug);
  const isLegacy = !version.files.some((file) => file.is_webextension);
  const notes = Object.values((version.release_notes ?? {}) as object)[0] as string | undefined;
  return {
    ...(isLegacy ? legacy(packed) : webExtension(packed)),
    'changes.txt': `${version.version}\n${notes ?? ''}\n`,
  };
}

function webExtension(packed: Packed): PackageFiles {
  const { line, version, name, summary: description, compatibility, icon } = packed;
  const { keys, files } = contentOf(packed);
  const { min: strict_min_version, max } = compatibility.desktop_browser ?? { min: '57.0', max: '*' };
  const limits = { strict_min_version, ...(max === '*' ? {} : { strict_max_version: max }) };
  const described = { name, description, icons: { 64: 'icon.png' }, ...keys };
  return { 'manifest.json': demoManifest(line.guid, version, described, limits), 'icon.png': icon, ...files };
}

/** The manifest keys and files that the types of WebExtensions differ in. */
function contentOf({ plan, name, version }: Packed): { keys: object; files: PackageFiles } {
  const { targetLocale = '' } = plan;
  if (plan.type === 'statictheme') return theme(plan);
  if (plan.type === 'dictionary') {
    const path = `dictionaries/${targetLocale}`;
    return {
      keys: { dictionaries: { [targetLocale]: `${path}.dic` } },
      files: { [`${path}.dic`]: `1\n${targetLocale}\n`, [`${path}.aff`]: 'SET UTF-8\n' },
    };
  }
  if (plan.type === 'language') {
    const folder = `chrome/${targetLocale}/locale/${targetLocale}/global/`;
    const language = { chrome_resources: { global: folder }, version: '20181025120000' };
    return {
      keys: {
        langpack_id: targetLocale,
        languages: { [targetLocale]: language },
        sources: { browser: { base_path: 'browser/' } },
      },
      files: { [`${folder}global.properties`]: `language = ${name}\n` },
    };
  }
  const { keys, files } = extensionFiles(plan.sign ?? 'counter', `${name} ${version}`);
  return { keys: { permissions: plan.permissions, ...keys }, files };
}

function theme({ paint, colours }: WorldAddon['plan']): { keys: object; files: PackageFiles } {
  const frame = colourOf(paint);
  const tab_background_text = `#${colours?.textcolor ?? 'ffffff'}`;
  return {
    keys: {
      theme: { images: { theme_frame: 'header.png' }, colors: { frame: `#${paint}`, tab_background_text } },
    },
    files: { 'header.png': gradient(320, 100, frame, blend(frame, [255, 255, 255], 0.3)) },
  };
}

/** Package formats from before WebExtensions: an extension, or a complete theme. */
function legacy({ plan, line, version, name, summary, compatibility }: Packed): PackageFiles {
  const isTheme = plan.type === 'theme';
  const targets = Object.entries(compatibility).map(
    ([app, { min, max }]) => `    <em:targetApplication>
      <Description>
        <em:id>${APPLICATION_IDS[app as Application].guid}</em:id>
        <em:minVersion>${min}</em:minVersion>
        <em:maxVersion>${max}</em:maxVersion>
      </Description>
    </em:targetApplication>`,
  );
  return {
    'install.rdf': `<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:em="http://www.mozilla.org/2004/em-rdf#">
  <Description about="urn:mozilla:install-manifest">
    <em:id>${line.guid}</em:id>
    <em:version>${version}</em:version>
    <em:type>${isTheme ? 4 : 2}</em:type>
    <em:name>${escapeXml(name)}</em:name>
    <em:description>${escapeXml(summary)}</em:description>
${isTheme ? `    <em:internalName>${plan.slug}</em:internalName>\n` : ''}${targets.join('\n')}
  </Description>
</RDF>
`,
    ...(isTheme
      ? {
          'chrome.manifest': `skin browser ${plan.slug} chrome/browser/\n`,
          'chrome/browser/browser.css': `window { background: #${plan.paint}; }\n`,
        }
      : {
          'chrome.manifest': `content ${plan.slug} chrome/content/\n`,
          'chrome/content/overlay.js': `// ${name} ${version}\nvar started = Date.now();\n`,
        }),
  };
}
