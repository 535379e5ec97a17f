/* Draws the pictures of those that have none: `npm run generate:pictures` makes the PNGs from the SVG beside them. Both are committed. */
import { join } from 'node:path';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, '../../pages/img');

const DRAWINGS = [
  { source: 'addon-icon', target: 'addon-icon-32', size: 32 },
  { source: 'addon-icon', target: 'addon-icon-64', size: 64 },
  { source: 'anon_user', target: 'anon_user', size: 200 },
] as const;

for (const { source, target, size } of DRAWINGS) {
  const drawing = sharp(join(FOLDER, `${source}.svg`), { density: (72 * size) / 64 }).resize(size, size);
  await drawing.png({ compressionLevel: 9 }).toFile(join(FOLDER, `${target}.png`));
}
