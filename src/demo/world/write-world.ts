import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { colourOf } from '../picture.ts';
import type { AddonLine, WorldAddon } from './addon-line.ts';
import { drawHeader, drawIcon, drawPreview } from './drawings.ts';
import { worldAddons, worldLines } from './world.ts';

const PICTURES = 'pictures';
/** Landscapes per colour. */
const LANDSCAPES = 2;

/** A picture of an add-on, drawn on demand. */
interface Picture {
  /** Relative to the catalogue file. */
  path: string;
  draw(): Buffer;
}

/**
 * Writes the demo catalogue into a folder: a catalogue file and its pictures. Existing files are overwritten.
 * @param until the latest date in the catalogue
 * @returns the path of the catalogue file
 * @throws when `stopping` is aborted.
 */
export async function writeWorld(folder: string, until: Date, stopping?: AbortSignal): Promise<string> {
  await mkdir(join(folder, PICTURES), { recursive: true, mode: 0o700 });
  const { shown, unusual } = worldAddons(until);
  const [first, others] = [shown.map(illustrate), unusual.map(illustrate)];
  const pictures = new Map(
    [...first, ...others].flatMap((each) => each.pictures.map(({ path, draw }) => [path, draw])),
  );
  for (const [path, draw] of pictures) {
    stopping?.throwIfAborted();
    await writeFile(join(folder, path), draw());
  }
  const linesOf = (addons: typeof first) => addons.map(({ line }) => line);
  const lines = worldLines(until, { shown: linesOf(first), unusual: linesOf(others) });
  const file = join(folder, 'catalogue.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** Adds the paths of its pictures to a line. Identical pictures share a path. */
function illustrate({ plan, line }: WorldAddon, index: number) {
  const colour = colourOf(plan.paint);
  const path = (...parts: (string | number)[]): string => `${PICTURES}/${[...parts, plan.paint].join('-')}.png`;
  const sign = plan.sign ?? null;
  const icon: Picture = { path: path('icon', sign ?? plan.type), draw: () => drawIcon(plan.type, sign, colour) };
  const previews: Picture[] = line.previews.map((_, at) => ({
    path: path('preview', at),
    draw: () => drawPreview(colour, 8 - at * 3),
  }));
  const land = index % LANDSCAPES;
  const header: Picture = { path: path('header', land), draw: () => drawHeader(colour, land * 2) };
  const illustrated: AddonLine = {
    ...line,
    icon_path: icon.path,
    previews: line.previews.map((preview, at) => ({ ...preview, path: previews[at]?.path })),
    ...(line.theme_data ? { theme_data: { ...line.theme_data, header_path: header.path } } : {}),
  };
  return { line: illustrated, pictures: [icon, ...previews, ...(line.theme_data ? [header] : [])] };
}
