/* `npm run generate:pictures`: makes the placeholder PNGs from the SVG files in the same folder. Both are committed. */
import { join } from 'node:path';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, '../../pages/img');

const DRAWINGS = [
  { source: 'addon-icon', target: 'addon-icon-32', width: 32, height: 32 },
  { source: 'addon-icon', target: 'addon-icon-64', width: 64, height: 64 },
  { source: 'anon_user', target: 'anon_user', width: 200, height: 200 },
  { source: 'no-preview', target: 'no-preview', width: 640, height: 480 },
] as const;

/** Width of the drawings in their own units. */
const DRAWN_WIDTH = 64;

for (const { source, target, width, height } of DRAWINGS) {
  const drawing = sharp(join(FOLDER, `${source}.svg`), { density: (72 * width) / DRAWN_WIDTH }).resize(width, height);
  await drawing.png({ compressionLevel: 9 }).toFile(join(FOLDER, `${target}.png`));
}
