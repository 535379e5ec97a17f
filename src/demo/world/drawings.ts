/*
 * Procedural pictures for the demo: icons, previews (a window) and headers (hills under a sky). Shapes are signed distance functions
 * in the units of the drawing.
 */
import type { AddonType } from '../../package/words.ts';
import type { Tool } from '../phrases/phrase-book.ts';
import { blend, type Colour, painted } from '../picture.ts';

type Shape = (x: number, y: number) => number;

const disc =
  (radius: number): Shape =>
  (x, y) =>
    Math.hypot(x, y) - radius;
const box =
  (width: number, height: number, corner = 0): Shape =>
  (x, y) => {
    const [dx, dy] = [Math.abs(x) - width + corner, Math.abs(y) - height + corner];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
  };
const at =
  (dx: number, dy: number, shape: Shape): Shape =>
  (x, y) =>
    shape(x - dx, y - dy);
const turned =
  (shape: Shape): Shape =>
  (x, y) =>
    shape((x + y) * Math.SQRT1_2, (y - x) * Math.SQRT1_2);
const outline =
  (shape: Shape, thickness: number): Shape =>
  (x, y) =>
    Math.abs(shape(x, y)) - thickness;
const all =
  (...shapes: Shape[]): Shape =>
  (x, y) =>
    Math.min(...shapes.map((shape) => shape(x, y)));

const bar = (y: number, width: number): Shape => at(0, y, box(width, 0.08, 0.08));
const magnifier = all(at(-0.1, -0.1, outline(disc(0.3), 0.08)), turned(at(0.5, 0, box(0.2, 0.08, 0.08))));

const OF_TOOLS: Readonly<Record<Tool, Shape>> = {
  sorter: all(bar(-0.32, 0.5), bar(0, 0.35), bar(0.32, 0.2)),
  finder: magnifier,
  keeper: all(outline(box(0.42, 0.36, 0.06), 0.07), at(0, -0.05, disc(0.13))),
  guard: all(outline(turned(box(0.36, 0.36, 0.1)), 0.08), disc(0.14)),
  cleaner: all(turned(at(-0.1, 0, box(0.5, 0.06, 0.06))), at(0.22, 0.22, turned(box(0.16, 0.26, 0.06)))),
  counter: all(outline(disc(0.42), 0.07), bar(0, 0.2), box(0.08, 0.2, 0.08)),
  courier: all(at(-0.14, 0, box(0.36, 0.08, 0.08)), at(0.2, 0, turned(box(0.22, 0.22, 0.04)))),
  keys: all(
    outline(box(0.46, 0.32, 0.1), 0.07),
    bar(0.12, 0.22),
    at(-0.2, -0.1, disc(0.07)),
    at(0.2, -0.1, disc(0.07)),
  ),
  diary: all(outline(box(0.36, 0.44, 0.06), 0.07), bar(-0.14, 0.16), bar(0.14, 0.16)),
  printer: all(at(0, 0.08, box(0.46, 0.22, 0.06)), at(0, -0.32, box(0.28, 0.16, 0.04))),
};

const OF_TYPES: Readonly<Record<AddonType, Shape>> = {
  extension: disc(0.4),
  theme: all(outline(box(0.44, 0.34, 0.06), 0.07), bar(-0.12, 0.4)),
  statictheme: all(at(-0.16, 0, outline(disc(0.3), 0.07)), at(0.16, 0, outline(disc(0.3), 0.07))),
  persona: all(at(-0.16, -0.1, disc(0.18)), at(0.16, 0.1, disc(0.26))),
  dictionary: all(bar(-0.28, 0.42), bar(0, 0.42), at(-0.14, 0, bar(0.28, 0.28))),
  language: all(at(0, -0.08, outline(box(0.46, 0.28, 0.12), 0.07)), at(-0.16, 0.36, turned(box(0.09, 0.09)))),
  search: magnifier,
};

const WHITE: Colour = [255, 255, 255];
const ICON = 64;

/** Coverage of a point by a shape with an edge one pixel wide, 0 to 1. */
const inside = (distance: number, pixel: number): number => Math.min(1, Math.max(0, 0.5 - distance / pixel));

/** An icon: a white sign on a square of the add-on's colour. PNG, 64 by 64. */
export function drawIcon(type: AddonType, tool: Tool | null, colour: Colour): Buffer {
  const sign = tool === null ? OF_TYPES[type] : OF_TOOLS[tool];
  const square = box(0.94, 0.94, 0.3);
  const pixel = 2 / ICON;
  const deep = blend(colour, [0, 0, 0], 0.35);
  return painted(ICON, ICON, (column, row) => {
    const [x, y] = [(column + 0.5) * pixel - 1, (row + 0.5) * pixel - 1];
    const ground = blend(colour, deep, (y + 1) / 2);
    return { colour: blend(ground, WHITE, inside(sign(x, y), pixel)), cover: inside(square(x, y), pixel) };
  });
}

const LINE = { first: 140, step: 44, left: 420, height: 9 };

/** A preview: a browser window with a panel of the given number of lines. PNG, 800 by 600. */
export function drawPreview(colour: Colour, lines: number): Buffer {
  const pale = blend(colour, WHITE, 0.85);
  const panel = at(560, 300, box(190, 210, 12));
  const buttons = all(at(640, 44, disc(14)), at(690, 44, disc(14)));
  const rows = Array.from({ length: lines }, (_, index) => {
    const width = 100 + ((index * 5) % 4) * 13;
    return at(LINE.left + width, LINE.first + index * LINE.step, box(width, LINE.height, LINE.height));
  });
  const blank: Shape = () => 1;
  const [toolbar, margin] = [
    { colour, cover: 1 },
    { colour: pale, cover: 1 },
  ];
  return painted(800, 600, (x, y) => {
    if (y < 88) return x < 620 ? toolbar : { colour: blend(colour, WHITE, inside(buttons(x, y), 1)), cover: 1 };
    const isOnPanel = inside(panel(x, y), 1);
    if (isOnPanel === 0) return margin;
    const row = rows[Math.round((y - LINE.first) / LINE.step)] ?? blank;
    const ground = blend(pale, WHITE, isOnPanel);
    return { colour: blend(ground, colour, isOnPanel * inside(row(x, y), 1)), cover: 1 };
  });
}

/** A header: three ridges of hills under a sky; `phase` varies the landscape. PNG, 3000 by 200, the size of applications. */
export function drawHeader(colour: Colour, phase: number): Buffer {
  const sky = blend(colour, WHITE, 0.35);
  const ridges = [1, 2, 3].map((ridge) => ({
    colour: blend(colour, [0, 0, 0], ridge * 0.16),
    height: (x: number) =>
      60 + ridge * 32 + 22 * Math.sin(x / (190 - ridge * 30) + phase * ridge) + 9 * Math.sin(x / 47 + phase + ridge),
  }));
  const heights = ridges.map(({ height }) => Float64Array.from({ length: 3000 }, (_, x) => height(x)));
  const skies = Array.from({ length: 200 }, (_, y) => ({ colour: blend(colour, sky, y / 140), cover: 1 }));
  const hills = ridges.map((ridge) => ({ colour: ridge.colour, cover: 1 }));
  const nothing = { colour, cover: 0 };
  return painted(3000, 200, (x, y) => {
    const nearest = heights.findLastIndex((height) => y >= (height[x] ?? 0));
    return (nearest === -1 ? skies[y] : hills[nearest]) ?? nothing;
  });
}
