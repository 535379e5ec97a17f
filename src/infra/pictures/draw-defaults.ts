/* `node src/infra/pictures/draw-defaults.ts`: makes the placeholder PNGs and the icons of the site from the SVG files in the same folder. All are committed. */
import { writeFileSync } from 'node:fs';
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

/** The icon of the site as a PNG. Phones round the corners of theirs, so it has a background to its edges. */
const siteIcon = (size: number, isFilled: boolean): Promise<Buffer> => {
  const icon = sharp(join(FOLDER, 'favicon.svg'), { density: (72 * size) / 32 }).resize(size, size);
  return (isFilled ? icon.flatten({ background: '#0b57b7' }) : icon).png({ compressionLevel: 9 }).toBuffer();
};

/** One PNG as an ICO file: a header, an entry of a directory, the picture. */
function ico(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

writeFileSync(join(FOLDER, 'favicon.ico'), ico(await siteIcon(32, false), 32));
writeFileSync(join(FOLDER, 'apple-touch-icon.png'), await siteIcon(180, true));
