import { Canvas } from './canvas.ts';
import { blend, type Colour } from './picture.ts';

export const WHITE: Colour = [255, 255, 255];

/** Three ridges of hills under a sky, for a picture of this size in pixels. `phase` varies them. */
export function ridgesOf(colour: Colour, phase: number, width: number, height: number) {
  const sky = blend(colour, WHITE, 0.35);
  const unit = height / 200;
  const ridges = [1, 2, 3].map((ridge) => ({
    colour: blend(colour, [0, 0, 0], ridge * 0.16),
    heights: Float64Array.from({ length: width }, (_, x) => {
      const waves = 22 * Math.sin(x / (190 - ridge * 30) + phase * ridge) + 9 * Math.sin(x / 47 + phase + ridge);
      return (60 + ridge * 32 + waves) * unit;
    }),
  }));
  const skies = Array.from({ length: height }, (_, y) => blend(colour, sky, y / (140 * unit)));
  const colourAt = (x: number, y: number): Colour => {
    const nearest = ridges.findLast(({ heights }) => y >= (heights[x] ?? 0));
    return nearest?.colour ?? skies[y] ?? colour;
  };
  return { colourAt };
}

/** A header of a persona. PNG, 3000 by 200, the size of applications. */
export function drawHeader(colour: Colour, phase: number): Buffer {
  const size = { width: 3000, height: 200 };
  const { colourAt } = ridgesOf(colour, phase, size.width, size.height);
  return new Canvas(size.width, size.height, colour).paint({ x: 0, y: 0, ...size }, colourAt).png();
}
