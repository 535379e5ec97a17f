import { PackageError } from '../../errors.ts';

type JsonObject = Record<string, unknown>;

function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Blanks out `//` comments, which browsers accept in a manifest, and leaves those inside of strings alone. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n\r]*/g, (part) => (part.startsWith('"') ? part : ''));
}

/**
 * Returns the bytes of manifest.json with `guid` written to `browser_specific_settings.gecko.id`, for a package that
 * names no id of its own: browsers compare that id with the certificate. A byte order mark and `//` comments are
 * accepted and, like the original white space, not kept. Settings under the older key `applications` are carried over
 * when the newer one is absent, because browsers read the older key only then. Throws a PackageError for bytes that are
 * not a JSON object.
 */
export function writeIdIntoManifest(manifest: Buffer, guid: string): Buffer {
  let root: JsonObject | null = null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(manifest);
    root = asObject(JSON.parse(withoutComments(text)));
  } catch {
    // Falls through to the one refusal below: a reader cannot use the position in a text that was altered first.
  }
  if (!root) throw new PackageError('Could not parse the manifest file.');
  const settings = asObject(root.browser_specific_settings) ?? asObject(root.applications) ?? {};
  const browser = asObject(settings.gecko) ?? {};
  root.browser_specific_settings = { ...settings, gecko: { ...browser, id: guid } };
  return Buffer.from(`${JSON.stringify(root, null, 2)}\n`, 'utf8');
}
