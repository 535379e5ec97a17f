/*
 * Calls the signing function of an installed `amo-upload` with the options given as JSON, and prints its result or the error.
 * The command of version 0.6.0 loses the options for credentials. Arguments: the package's entry point, the options.
 */
import { pathToFileURL } from 'node:url';

interface AmoUpload {
  signAddon(options: Record<string, unknown>): Promise<string>;
}

const [entry = '', options = '{}'] = process.argv.slice(2);
const { signAddon } = (await import(pathToFileURL(entry).href)) as AmoUpload;
try {
  console.log(await signAddon(JSON.parse(options) as Record<string, unknown>));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
