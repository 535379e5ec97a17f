import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { colourOf } from '../picture.ts';
import type { AddonLine } from './addon-line.ts';
import { drawHeader, drawIcon, drawPreview } from './drawings.ts';
import { type WorldAddon, worldAddons, worldLines } from './world.ts';

/** So many of the most used add-ons with previews have them drawn; those of the others are known by their sizes only. */
const WITH_PREVIEWS = 12;
const PICTURES = 'pictures';
/** So many landscapes there are in each colour. */
const LANDSCAPES = 2;

/** A picture of an add-on, to be drawn when its turn comes. */
interface Picture {
  /** Relative to the catalogue file. */
  path: string;
  draw(): Buffer;
}

/**
 * Writes the world of the demo into a folder: a catalogue file and the pictures that it names. What is there already is
 * written anew.
 * @param until nothing in the world is younger
 * @returns the path of the catalogue file
 * @throws when `stopping` is aborted.
 */
export async function writeWorld(folder: string, until: Date, stopping?: AbortSignal): Promise<string> {
  await mkdir(join(folder, PICTURES), { recursive: true, mode: 0o700 });
  const addons = worldAddons(until);
  const shown = new Set(mostUsedWithPreviews(addons));
  const illustrated = addons.map((addon, index) => illustrate(addon, index, shown.has(addon)));
  const pictures = new Map(illustrated.flatMap((each) => each.pictures.map(({ path, draw }) => [path, draw] as const)));
  for (const [path, draw] of pictures) {
    stopping?.throwIfAborted();
    await writeFile(join(folder, path), draw());
  }
  const lines = worldLines(
    until,
    illustrated.map(({ line }) => line),
  );
  const file = join(folder, 'catalogue.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function mostUsedWithPreviews(addons: readonly WorldAddon[]): WorldAddon[] {
  return addons
    .filter(({ plan }) => plan.sign !== undefined)
    .sort((one, other) => other.line.average_daily_users - one.line.average_daily_users)
    .slice(0, WITH_PREVIEWS);
}

/** The line of an add-on that names its pictures, and these. Those that do the same in the same colour share theirs. */
function illustrate({ plan, line }: WorldAddon, index: number, hasPreviews: boolean) {
  const colour = colourOf(plan.paint);
  const path = (...parts: (string | number)[]): string => `${PICTURES}/${[...parts, plan.paint].join('-')}.png`;
  const sign = plan.sign ?? null;
  const icon: Picture = { path: path('icon', sign ?? plan.type), draw: () => drawIcon(plan.type, sign, colour) };
  const previews: Picture[] = line.previews
    .slice(0, hasPreviews ? undefined : 0)
    .map((_, at) => ({ path: path('preview', at), draw: () => drawPreview(colour, 8 - at * 3) }));
  const land = index % LANDSCAPES;
  const header: Picture = { path: path('header', land), draw: () => drawHeader(colour, land * 2) };
  const illustrated: AddonLine = {
    ...line,
    icon_path: icon.path,
    previews: line.previews.map((preview, at) => ({ ...preview, ...withPath(previews[at]) })),
    ...(line.theme_data ? { theme_data: { ...line.theme_data, header_path: header.path } } : {}),
  };
  return { line: illustrated, pictures: [icon, ...previews, ...(line.theme_data ? [header] : [])] };
}

const withPath = (picture: Picture | undefined): { path?: string } => (picture ? { path: picture.path } : {});
