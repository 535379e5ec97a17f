/*
 * Calls the signing function of an installed `sign-addon` with the options given as JSON, prints its result as the last
 * line and exits with 1 on failure. Arguments: the package's entry point, the options.
 */
import { pathToFileURL } from 'node:url';

interface SignResult {
  success: boolean;
}
type SignAddon = (options: Record<string, unknown>) => Promise<SignResult>;

// Version 4 and later are an ES module with a named export; earlier ones are a bundle whose default export is the function.
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
