import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SAMPLES = join(import.meta.dirname, '../../schema/samples');

/** An operation that the in-browser editor offers; its variables have default values. */
interface Sample {
  /** Name of the file without `.graphql`. The files are numbered in the order of the tabs. */
  name: string;
  text: string;
}

/** The samples of `schema/samples`, in the order of their names. */
export async function readSamples(): Promise<Sample[]> {
  const files = (await readdir(SAMPLES)).filter((file) => file.endsWith('.graphql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.graphql$/, ''),
      text: await readFile(join(SAMPLES, file), 'utf8'),
    })),
  );
}
