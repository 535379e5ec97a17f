import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Files that `npm run generate` writes last; if they exist, all do. */
const GENERATED = ['prisma/client.ts', 'pothos.ts', 'operations/graphql.ts', 'samples/persisted-documents.json'];

/**
 * Generates src/generated when it is missing, as `npm ci` does: the folder is not kept in git, and may have been removed.
 * @throws when a generator fails; its output goes to standard error.
 */
export async function generateMissing(): Promise<void> {
  const isGenerated = GENERATED.every((file) => existsSync(join(ROOT, 'src/generated', file)));
  if (isGenerated) return;
  const npm = spawn('npm', ['run', '--silent', 'generate'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const [code] = await once(npm, 'exit');
  if (code !== 0) throw new Error('src/generated is missing and cannot be generated. Run: npm ci');
}
