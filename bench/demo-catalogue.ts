/*
 * Writes prisma/demo/catalogue.tar.zst, the catalogue that the demo imports, with its pictures and packages: `node bench/demo-catalogue.ts`.
 * Equal bytes for equal code and versions of Node.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import tar from 'tar-stream';
import { DEMO_CATALOGUE, WRITTEN_UNTIL } from '../src/demo/demo-catalogue.ts';
import { writeDemoCatalogue } from './world/write-world.ts';

const MAX_BYTES = 2_000_000;
/** Files repeat parts of each other far apart. */
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_windowLog]: 23,
};

const folder = await mkdtemp(join(tmpdir(), 'addons-demo-catalogue-'));
try {
  await writeDemoCatalogue(folder);
  await archive(DEMO_CATALOGUE);
} finally {
  await rm(folder, { recursive: true, force: true });
}
const { size } = await stat(DEMO_CATALOGUE);
console.log(`${DEMO_CATALOGUE}: ${size} bytes`);
if (size > MAX_BYTES) process.exitCode = 1;

async function archive(path: string): Promise<void> {
  const pack = tar.pack();
  const written = pipeline(pack, createZstdCompress({ params: COMPRESSION }), createWriteStream(path));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  for (const name of names.sort()) {
    const { size: bytes } = await stat(join(folder, name));
    await pipeline(
      createReadStream(join(folder, name)),
      pack.entry({ name, size: bytes, mode: 0o644, mtime: WRITTEN_UNTIL }),
    );
  }
  pack.finalize();
  await written;
}
