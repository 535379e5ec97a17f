import { type Colour, encodePng } from './picture.ts';

/** Signed distance from a point to the edge of a figure, negative inside. */
export type Shape = (x: number, y: number) => number;

/** A rectangle, in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Coverage of a point by a shape with an edge one pixel wide, 0 to 1. `pixel` is the size of a pixel in units of the shape. */
export const coverage = (distance: number, pixel: number): number => Math.min(1, Math.max(0, 0.5 - distance / pixel));

const packed = ([red, green, blue]: Colour): number => (red | (green << 8) | (blue << 16) | (255 << 24)) >>> 0;

/** An opaque picture that is drawn part by part. Sizes in pixels; the origin is the upper left corner. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint32Array;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.#pixels = new Uint32Array(width * height).fill(packed(ground));
  }

  /** Fills a rectangle, which must be within the picture. */
  fill({ x, y, width, height }: Area, colour: Colour): this {
    const value = packed(colour);
    for (let row = y; row < y + height; row += 1) {
      this.#pixels.fill(value, row * this.width + x, row * this.width + x + width);
    }
    return this;
  }

  /** Fills a rectangle with rounded corners. */
  round(area: Area, corner: number, colour: Colour): this {
    const { x, y, width, height } = area;
    return this.draw(
      box(width / 2, height / 2, corner),
      { x: x + width / 2, y: y + height / 2, scale: 1 },
      area,
      colour,
    );
  }

  /** Draws a shape whose origin is at `at`, and whose unit is `at.scale` pixels, within an area of the picture. */
  draw(shape: Shape, at: { x: number; y: number; scale: number }, area: Area, colour: Colour): this {
    const value = packed(colour);
    for (let row = area.y; row < area.y + area.height; row += 1) {
      for (let column = area.x; column < area.x + area.width; column += 1) {
        const distance = shape((column + 0.5 - at.x) / at.scale, (row + 0.5 - at.y) / at.scale);
        const cover = coverage(distance, 1 / at.scale);
        if (cover === 1) this.#pixels[row * this.width + column] = value;
        else if (cover > 0) this.#blend(row * this.width + column, colour, cover);
      }
    }
    return this;
  }

  /** Paints each pixel of an area. */
  paint(area: Area, colourAt: (column: number, row: number) => Colour): this {
    for (let row = area.y; row < area.y + area.height; row += 1) {
      for (let column = area.x; column < area.x + area.width; column += 1) {
        this.#pixels[row * this.width + column] = packed(colourAt(column, row));
      }
    }
    return this;
  }

  /** The picture as PNG. */
  png(): Buffer {
    const stride = this.width * 4;
    const bytes = Buffer.alloc(this.height * (stride + 1));
    for (let row = 0; row < this.height; row += 1) {
      for (let column = 0; column < this.width; column += 1) {
        bytes.writeUInt32LE(this.#pixels[row * this.width + column] ?? 0, row * (stride + 1) + 1 + column * 4);
      }
    }
    return encodePng(this.width, this.height, bytes);
  }

  #blend(index: number, [red, green, blue]: Colour, cover: number): void {
    const before = this.#pixels[index] ?? 0;
    const mix = (old: number, fresh: number): number => Math.round(old + (fresh - old) * cover);
    this.#pixels[index] = packed([
      mix(before & 255, red),
      mix((before >> 8) & 255, green),
      mix((before >> 16) & 255, blue),
    ]);
  }
}

/** A rectangle around the origin by half of its width and height, with rounded corners. */
export function box(width: number, height: number, corner = 0): Shape {
  return (x, y) => {
    const [dx, dy] = [Math.abs(x) - width + corner, Math.abs(y) - height + corner];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
  };
}

/** A disc around the origin. */
export const disc =
  (radius: number): Shape =>
  (x, y) =>
    Math.hypot(x, y) - radius;

/** A shape at another place. */
export const at =
  (dx: number, dy: number, shape: Shape): Shape =>
  (x, y) =>
    shape(x - dx, y - dy);

/** The union of shapes. */
export const all =
  (...shapes: Shape[]): Shape =>
  (x, y) =>
    Math.min(...shapes.map((shape) => shape(x, y)));
