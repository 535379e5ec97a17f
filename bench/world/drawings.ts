/* Procedural icons of the demo. Shapes are signed distance functions in the units of the drawing. */
import type { AddonType } from '../../src/package/enums.ts';
import { all, at, box, coverage, disc, type Shape } from './canvas.ts';
import { WHITE } from './landscape.ts';
import type { Tool } from './phrases/phrase-book.ts';
import { blend, type Colour, painted } from './picture.ts';

const turned =
  (shape: Shape): Shape =>
  (x, y) =>
    shape((x + y) * Math.SQRT1_2, (y - x) * Math.SQRT1_2);
const outline =
  (shape: Shape, thickness: number): Shape =>
  (x, y) =>
    Math.abs(shape(x, y)) - thickness;

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

const ICON = 64;

/** An icon: a white sign on a square of the add-on's colour. PNG, 64 by 64. */
export function drawIcon(type: AddonType, tool: Tool | null, colour: Colour): Buffer {
  const sign = tool === null ? OF_TYPES[type] : OF_TOOLS[tool];
  const square = box(0.94, 0.94, 0.3);
  const pixel = 2 / ICON;
  const deep = blend(colour, [0, 0, 0], 0.35);
  return painted(ICON, ICON, (column, row) => {
    const [x, y] = [(column + 0.5) * pixel - 1, (row + 0.5) * pixel - 1];
    const ground = blend(colour, deep, (y + 1) / 2);
    return { colour: blend(ground, WHITE, coverage(sign(x, y), pixel)), cover: coverage(square(x, y), pixel) };
  });
}
