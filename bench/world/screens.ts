/* Procedural previews of the demo: a browser window with an extension or a theme, and portraits of accounts. */
import { all, at, box, Canvas, coverage, disc, type Shape } from './canvas.ts';
import { ridgesOf, WHITE } from './landscape.ts';
import { blend, type Colour, painted } from './picture.ts';

/** Sizes of previews in pixels. */
export const PREVIEW_SIZE = { width: 640, height: 480 };

const BLACK: Colour = [0, 0, 0];
const INK: Colour = [90, 94, 104];
const PALE: Colour = [226, 229, 234];
const FIELD = { x: 24, y: 44, width: 480, height: 24 };
const BUTTON = { x: 564, y: 40, width: 32, height: 32 };

/** Which part of an extension a preview shows. */
export type View = 'panel' | 'settings';

/** A preview of an extension. PNG. */
export function drawExtension(colour: Colour, view: View): Buffer {
  const canvas = window(blend(colour, BLACK, 0.25), blend(colour, WHITE, 0.88));
  canvas.round(BUTTON, 8, colour);
  canvas.round({ x: BUTTON.x + 9, y: BUTTON.y + 9, width: 14, height: 14 }, 7, WHITE);
  page(canvas, view === 'settings' ? 200 : 32);
  if (view === 'settings') settings(canvas, colour);
  else panel(canvas, colour);
  return canvas.png();
}

/** A preview of a theme: a landscape behind tabs and toolbar. `phase` varies the landscape. PNG. */
export function drawTheme(colour: Colour, phase: number): Buffer {
  const canvas = window(colour, colour);
  const { colourAt } = ridgesOf(colour, phase, PREVIEW_SIZE.width, 84);
  canvas.paint({ x: 0, y: 0, width: PREVIEW_SIZE.width, height: 84 }, colourAt);
  canvas.round({ x: 12, y: 8, width: 150, height: 28 }, 6, blend(colour, WHITE, 0.8));
  canvas.fill({ x: 28, y: 19, width: 90, height: 6 }, INK);
  canvas.round(FIELD, 12, blend(colour, WHITE, 0.9));
  canvas.fill({ x: 44, y: 53, width: 150, height: 6 }, INK);
  page(canvas, 32);
  return canvas.png();
}

/** Tabs, a toolbar and an empty page. */
function window(strip: Colour, toolbar: Colour): Canvas {
  const canvas = new Canvas(PREVIEW_SIZE.width, PREVIEW_SIZE.height, WHITE);
  canvas.fill({ x: 0, y: 0, width: PREVIEW_SIZE.width, height: 36 }, strip);
  canvas.fill({ x: 0, y: 36, width: PREVIEW_SIZE.width, height: 42 }, toolbar);
  canvas.round({ x: 12, y: 8, width: 150, height: 40 }, 6, toolbar);
  for (const x of [176, 300]) canvas.round({ x, y: 12, width: 112, height: 20 }, 5, blend(strip, WHITE, 0.3));
  canvas.fill({ x: 28, y: 20, width: 90, height: 6 }, INK);
  canvas.round(FIELD, 12, WHITE);
  canvas.fill({ x: 44, y: 53, width: 150, height: 6 }, INK);
  return canvas;
}

/** A heading, a picture and lines of text. */
function page(canvas: Canvas, left: number): void {
  canvas.fill({ x: left, y: 104, width: 230, height: 14 }, INK);
  canvas.round({ x: left, y: 136, width: 300, height: 96 }, 8, PALE);
  for (let line = 0; line < 10; line += 1) {
    const width = 300 - ((line * 37) % 90);
    canvas.fill({ x: left, y: 252 + line * 20, width, height: 7 }, PALE);
  }
}

/** A panel below the button, with a list. */
function panel(canvas: Canvas, colour: Colour): void {
  canvas.round({ x: 366, y: 82, width: 252, height: 306 }, 12, blend(colour, WHITE, 0.5));
  canvas.round({ x: 368, y: 84, width: 248, height: 302 }, 10, WHITE);
  canvas.round({ x: 384, y: 98, width: 216, height: 28 }, 14, PALE);
  for (let row = 0; row < 6; row += 1) {
    const y = 142 + row * 40;
    canvas.round({ x: 384, y, width: 24, height: 24 }, 6, blend(colour, WHITE, (row % 3) * 0.25));
    canvas.fill({ x: 420, y: y + 3, width: 160 - ((row * 29) % 70), height: 7 }, INK);
    canvas.fill({ x: 420, y: y + 15, width: 120 - ((row * 41) % 60), height: 5 }, PALE);
  }
}

/** A menu at the left and a list of switches. */
function settings(canvas: Canvas, colour: Colour): void {
  canvas.fill({ x: 0, y: 78, width: 176, height: 402 }, blend(colour, WHITE, 0.92));
  for (let row = 0; row < 5; row += 1) {
    canvas.fill({ x: 24, y: 108 + row * 34, width: 110 - ((row * 31) % 50), height: 8 }, row === 1 ? colour : INK);
  }
  for (let row = 0; row < 8; row += 1) {
    const isOn = row % 3 !== 1;
    const y = 136 + row * 40;
    canvas.round({ x: 556, y, width: 44, height: 22 }, 11, isOn ? colour : PALE);
    canvas.round({ x: isOn ? 580 : 559, y: y + 3, width: 17, height: 16 }, 8, WHITE);
  }
}

const PORTRAIT = 96;

/** The picture of an account: head and shoulders. `style` from 0 to 3 is the hair. PNG, 96 by 96. */
export function drawPortrait(colour: Colour, style: number): Buffer {
  const shoulders = at(0, 1.1, disc(0.72));
  const head = at(0, -0.08, disc(0.36));
  const hair = [
    at(0, -0.26, box(0.38, 0.2, 0.2)),
    all(at(0, -0.3, disc(0.36)), at(0, 0.1, box(0.42, 0.34, 0.2))),
    at(0, -0.42, box(0.3, 0.06, 0.05)),
    all(at(-0.3, -0.36, disc(0.16)), at(0.3, -0.36, disc(0.16))),
  ][style % 4] as Shape;
  const ground = blend(colour, WHITE, 0.55);
  const skin = blend([236, 188, 150], [112, 72, 48], ((style * 3) % 4) / 4);
  const pixel = 2 / PORTRAIT;
  return painted(PORTRAIT, PORTRAIT, (column, row) => {
    const [x, y] = [(column + 0.5) * pixel - 1, (row + 0.5) * pixel - 1];
    const back = blend(ground, blend(colour, BLACK, 0.5), coverage(hair(x, y), pixel));
    const body = blend(back, colour, coverage(shoulders(x, y), pixel));
    return { colour: blend(body, skin, coverage(Math.max(head(x, y), -0.3 - y), pixel)), cover: 1 };
  });
}
