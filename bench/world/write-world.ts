import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_PICTURES, WRITTEN_UNTIL } from '../../src/demo/demo-catalogue.ts';
import { writePackage } from '../../src/demo/packages.ts';
import type { AddonLine, WorldAddon } from './addon-line.ts';
import type { CatalogueLine } from './catalogue-line.ts';
import { demoPictures } from './demo-pictures.ts';
import { drawIcon } from './drawings.ts';
import { drawHeader } from './landscape.ts';
import { packageOf } from './package-of.ts';
import { colourOf } from './picture.ts';
import type { AddonPlan } from './plan.ts';
import { drawExtension, drawPortrait, drawTheme, PREVIEW_SIZE } from './screens.ts';
import { SHADES } from './subject-matters.ts';
import type { VersionLine } from './versions.ts';
import { worldAddons, worldLines } from './world.ts';

const PICTURES = 'pictures';
const PACKAGES = 'packages';
/** Landscapes per colour. */
const LANDSCAPES = 2;

/** A picture of an add-on, drawn on demand. */
interface Picture {
  /** Relative to the catalogue file. */
  path: string;
  draw(): Buffer;
}

/** Writes the files of the demo's archive into an empty folder: the catalogue and the pictures of what the demo makes itself. */
export async function writeDemoCatalogue(folder: string): Promise<void> {
  await writeWorld(folder, WRITTEN_UNTIL);
  await mkdir(join(folder, OWN_PICTURES));
  for (const [name, png] of demoPictures()) await writeFile(join(folder, OWN_PICTURES, `${name}.png`), png);
}

/**
 * Writes the demo catalogue into an empty folder: a catalogue file, its pictures and its packages, which are not signed.
 * @param until the latest date in the catalogue
 */
async function writeWorld(folder: string, until: Date): Promise<void> {
  await mkdir(join(folder, PICTURES), { recursive: true, mode: 0o700 });
  await mkdir(join(folder, PACKAGES), { mode: 0o700 });
  const { shown, edgeCases } = worldAddons(until);
  const [first, others] = [shown.map(illustrate), edgeCases.map(illustrate)];
  const pictures = new Map(
    [...[...first, ...others].flatMap((each) => each.pictures), ...PORTRAITS].map(({ path, draw }) => [path, draw]),
  );
  for (const [path, draw] of pictures) await writeFile(join(folder, path), draw());
  const packed: AddonLine[] = [];
  for (const addon of [...first, ...others]) packed.push(await pack(addon, folder));
  const addons = { shown: packed.slice(0, first.length), edgeCases: packed.slice(first.length) };
  const lines = worldLines(until, addons).map(portray);
  await writeFile(join(folder, 'catalogue.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const SIZE = [PREVIEW_SIZE.width, PREVIEW_SIZE.height];
const SIZES = { image_size: SIZE, thumbnail_size: SIZE };

/** Adds the paths of its pictures to a line. Identical pictures share a path. */
function illustrate({ plan, line }: WorldAddon, index: number) {
  const colour = colourOf(plan.paint);
  const path = (...parts: (string | number)[]): string => `${PICTURES}/${[...parts, plan.paint].join('-')}.png`;
  const sign = plan.sign ?? null;
  const icon: Picture = { path: path('icon', sign ?? plan.type), draw: () => drawIcon(plan.type, sign, colour) };
  const previews: Picture[] = line.previews.map((_, at) => previewOf(plan, at));
  const land = index % LANDSCAPES;
  const header: Picture = { path: path('header', land), draw: () => drawHeader(colour, land * 2) };
  const illustrated: AddonLine = {
    ...line,
    icon_path: icon.path,
    previews: line.previews.map((preview, at) => ({ ...preview, ...SIZES, path: previews[at]?.path })),
    ...(line.theme_data ? { theme_data: { ...line.theme_data, header_path: header.path } } : {}),
  };
  return { plan, line: illustrated, pictures: [icon, ...previews, ...(line.theme_data ? [header] : [])] };
}

/**
 * Writes the packages of an add-on and adds their paths to its line, in place of what an import reads from packages. Its icon must have
 * been written.
 */
async function pack({ plan, line }: WorldAddon, folder: string): Promise<AddonLine> {
  const icon = await readFile(join(folder, String(line.icon_path)));
  const written = async (version: VersionLine): Promise<VersionLine> => {
    const content = packageOf({ plan, line }, version, icon);
    const name = `${plan.type}-${line.slug ?? plan.slug}-${version.version}`;
    const path = `${PACKAGES}/${name}.${Buffer.isBuffer(content) ? 'xml' : 'xpi'}`;
    await writePackage(join(folder, path), content);
    return { ...version, files: version.files.map(({ hash: _hash, size: _size, ...file }) => ({ ...file, path })) };
  };
  const versions = await Promise.all(line.versions.map(written));
  return { ...line, versions };
}

/** The picture of a theme, or of the panel and then the settings of an extension. Extensions about one subject share theirs. */
function previewOf({ type, paint }: AddonPlan, at: number): Picture {
  const colour = colourOf(paint);
  if (type !== 'extension') {
    return { path: `${PICTURES}/preview-theme-${paint}.png`, draw: () => drawTheme(colour, at) };
  }
  const view = at % 2 === 0 ? 'panel' : 'settings';
  return { path: `${PICTURES}/preview-${view}-${paint}.png`, draw: () => drawExtension(colour, view) };
}

/** Portraits of accounts, in turn. */
const PORTRAITS: readonly Picture[] = Object.values(SHADES).flatMap(({ dark }, row) =>
  [0, 1].map((column) => ({
    path: `${PICTURES}/portrait-${row}-${column}.png`,
    draw: () => drawPortrait(colourOf(dark), row + column * 2),
  })),
);

/** Adds a portrait to the line of an account. Four of five have one. */
function portray(line: CatalogueLine, index: number): CatalogueLine {
  if (line.kind !== 'account' || index % 5 === 0) return line;
  return { ...line, picture_path: PORTRAITS[index % PORTRAITS.length]?.path };
}
