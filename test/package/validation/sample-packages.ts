import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const MANIFEST = {
  manifest_version: 2,
  name: 'Sample extension',
  version: '1.0',
  browser_specific_settings: { gecko: { id: 'sample@addons.example' } },
  background: { scripts: ['script.js'] },
};

/** Writes a package of `files` (content by name) to `path` and resolves to `path`. */
export async function writePackage(path: string, files: Record<string, string>): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** Writes a WebExtension whose background script is `script`. */
export function writeExtension(path: string, script: string, manifest: object = {}): Promise<string> {
  return writePackage(path, { 'manifest.json': JSON.stringify({ ...MANIFEST, ...manifest }), 'script.js': script });
}

/** A script that takes the linter seconds and hundreds of megabytes to lint. Its numbers keep it below the highest compression. */
export function heavyScript(): string {
  const lines = Array.from({ length: 150_000 }, (_, line) => `${line}, 2, 3, "x",\n`);
  return `var list = [${lines.join('')}];\n`;
}
