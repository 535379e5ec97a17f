import { createHash } from 'node:crypto';
import { authorization } from '../../crash/support/signing-client.ts';
import { until } from '../../crash/support/waiting.ts';
import { brokenPackage, xpi, zip } from '../../support/packages.ts';
import { type Lane, wordOf, writeInput } from './lane.ts';

const SIGNED_MS = 300_000;

/** An id in braces, which tools send raw, encoded or without the braces. */
export function bracedId(lane: Lane): string {
  const digits = createHash('sha256').update(wordOf(lane)).digest('hex').slice(0, 32);
  return `{${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}}`;
}

/** Writes a valid package of the add-on and returns its path. */
export async function writePackage(lane: Lane, version: string): Promise<string> {
  return writeInput(lane, `addon-${version}.zip`, await xpi({ guid: bracedId(lane), version }));
}

/** The same with a syntax error. */
export async function writeBrokenPackage(lane: Lane, version: string): Promise<string> {
  return writeInput(lane, `broken-${version}.zip`, await brokenPackage({ guid: bracedId(lane), version }));
}

/** Writes an archive of source code and returns its path. */
export async function writeSourceArchive(lane: Lane): Promise<string> {
  return writeInput(lane, 'sources.zip', await zip({ Makefile: 'all:\n', 'src/a.ts': 'export {};\n' }));
}

/** Makes the add-on known by version 0.9: these tools add versions to existing add-ons only. */
export async function createAddon(lane: Lane): Promise<void> {
  const { site } = lane;
  const body = new FormData();
  const content = await xpi({ guid: bracedId(lane), version: '0.9' });
  body.set('upload', new File([new Uint8Array(content)], 'addon.xpi'));
  const address = `${site.url}/api/v4/addons/${encodeURIComponent(bracedId(lane))}/versions/0.9/`;
  const response = await fetch(address, { method: 'PUT', headers: { authorization: authorization(site) }, body });
  if (response.status !== 201) throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
  await until('version 0.9 is signed', SIGNED_MS, async () => {
    const { active } = await site.status(`${site.url}/api/v4`, bracedId(lane), '0.9');
    return active ? true : null;
  });
}
