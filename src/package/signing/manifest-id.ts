import { isJsonObject, type JsonObject, type JsonValue } from '../manifest/parse-json.ts';
import { parseManifest } from '../manifest/web-extension.ts';

const objectOrNull = (value: JsonValue | undefined): JsonObject | null => (isJsonObject(value) ? value : null);

/**
 * Returns the bytes of manifest.json with `guid` as `browser_specific_settings.gecko.id`: browsers compare it with the
 * certificate. Settings under the older key `applications` are copied when the newer key is absent, because browsers read
 * the older key only then. Comments and white space are lost. Throws a PackageError as `parseManifest` does.
 */
export function writeIdIntoManifest(manifest: Buffer, guid: string): Buffer {
  const root = parseManifest(manifest);
  const settings = objectOrNull(root.browser_specific_settings) ?? objectOrNull(root.applications) ?? {};
  const browser = objectOrNull(settings.gecko) ?? {};
  root.browser_specific_settings = { ...settings, gecko: { ...browser, id: guid } };
  return Buffer.from(`${JSON.stringify(root, null, 2)}\n`, 'utf8');
}
