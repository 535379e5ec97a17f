import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Path of a program on the PATH, or null if it is not installed. */
export async function findProgram(name: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return null;
}
