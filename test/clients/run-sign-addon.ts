/*
 * Calls the signing function of an installed `sign-addon` with the options given as JSON, prints its result as the last
 * line and ends with 1 where it did not succeed. Arguments: the file of the package's entry point, the options.
 */
import { pathToFileURL } from 'node:url';

interface SignResult {
  success: boolean;
}
type SignAddon = (options: Record<string, unknown>) => Promise<SignResult>;

// From version 4 on it is an ES module with a named export, before that a bundle whose default export is the function.
interface Loaded {
  signAddon?: SignAddon;
  default: SignAddon | { default: SignAddon };
}

const [entry = '', options = '{}'] = process.argv.slice(2);
const loaded = (await import(pathToFileURL(entry).href)) as Loaded;
const old = typeof loaded.default === 'function' ? loaded.default : loaded.default.default;
const result = await (loaded.signAddon ?? old)(JSON.parse(options) as Record<string, unknown>);
console.log(`\nRESULT ${JSON.stringify(result)}`);
process.exitCode = result.success ? 0 : 1;
