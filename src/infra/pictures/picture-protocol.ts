/*
 * What is said between a picture process and its parent. Types only, and the words for what is wrong with a picture.
 */

/** A picture to be made of another: its size in pixels at most or exactly, as `fit` says. */
export interface PictureForm {
  name: string;
  width: number;
  height: number;
  /**
   * `inside`: no larger than that, and never enlarged. `contain`: exactly that, the rest being transparent. `cover-right`:
   * exactly that, the upper right part of what fills it.
   */
  fit: 'inside' | 'contain' | 'cover-right';
}

/** A decoded picture, encoded again as a PNG without anything but its pixels. */
export interface MadePicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/**
 * What is wrong with a picture: it is of another kind (`foreign`) or of none (`unknown`), it moves, it is broken, or it has
 * too many pixels.
 */
export type PictureFlaw = 'foreign' | 'unknown' | 'animated' | 'broken' | 'huge';

/** Bytes, or the path of a file that has them. */
export type PictureInput = Uint8Array | string;

/** What is to be made of a picture: the first form of its bytes, the others of that first one. */
export interface PictureRequest {
  input: PictureInput;
  forms: PictureForm[];
}

/** What a process made: the pictures in the order of their forms. `size` is that of the source, once it stands upright. */
export type PictureResult =
  | { kind: 'made'; size: { width: number; height: number }; pictures: MadePicture[] }
  | { kind: 'flawed'; flaw: PictureFlaw };

/** What a process answers; `late` when decoding takes longer than it may, which a busy machine can be the cause of. */
export type PictureReply = PictureResult | { kind: 'late' };
