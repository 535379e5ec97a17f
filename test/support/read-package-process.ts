/* Reads a package and prints its version: `node --max-old-space-size=MB test/support/read-package-process.ts FILE`. */
import { readPackage } from '../../src/package/manifest/read-package.ts';

const { version } = await readPackage(process.argv[2] ?? '', 'package.xpi');
process.stdout.write(String(version));
