/* The messages between a picture process and its parent. */

/** A picture to make from another. Sizes are in pixels. */
export interface PictureForm {
  name: string;
  width: number;
  height: number;
  /**
   * `inside`: at most this size, never enlarged. `contain`: exactly this size with transparent margins. `cover-right`: exactly
   * this size, cropped to the upper right.
   */
  fit: 'inside' | 'contain' | 'cover-right';
}

/** A PNG without metadata. */
export interface MadePicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/**
 * Why a picture is refused: an empty file, another picture format (`foreign`), no picture (`unknown`), animated, broken, too many
 * pixels (`huge`), or too many in a row or column (`long`).
 */
export type PictureFlaw =
  | { kind: 'empty' | 'unknown' | 'animated' }
  | { kind: 'foreign' | 'broken'; format: string }
  | { kind: 'huge' | 'long'; width: number; height: number };

/** Bytes or the path of a file. */
export type PictureInput = Uint8Array | string;

/** `still`: PNG and JPEG without animation. `any`: GIF and WebP, too, and of those that are animated the first frame, of a PNG its still picture. */
export type PictureFormats = 'still' | 'any';

/** The first form is made from the input, the others from the first. */
export interface PictureRequest {
  bytes: Uint8Array;
  forms: PictureForm[];
  formats: PictureFormats;
}

/** `pictures` are in the order of the forms. `size` is that of the source after rotation, `isAnimated` whether it has several frames. */
export type PictureResult =
  | { kind: 'made'; size: { width: number; height: number }; isAnimated: boolean; pictures: MadePicture[] }
  | { kind: 'flawed'; flaw: PictureFlaw };

/** `late`: decoding exceeded its time limit, which can happen on a busy machine. */
export type PictureReply = PictureResult | { kind: 'late' };
