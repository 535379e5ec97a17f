import type { PictureForm } from '../../infra/pictures/picture-protocol.ts';

/** What is kept of a picture that somebody brings, and what is made of it. Sizes are in pixels. */
export interface PictureKind {
  /** The largest form, which the others can be made from again, and the form that an export carries. */
  kept: PictureForm;
  /** The others, by the names under which they are served. */
  renditions: readonly PictureForm[];
  /** How the texts about it begin. */
  noun: 'Icons' | 'Images';
}

const inside = (width: number, height: number): PictureForm => ({ name: 'kept', width, height, fit: 'inside' });
/** Larger than anything that the limit on pixels lets through, in either direction. */
const AS_IT_IS = inside(100_000, 100_000);

const icon = (size: number): PictureForm => ({ name: `icon-${size}`, width: size, height: size, fit: 'contain' });

/** The icon of an add-on; the contract has it in 32 and 64 pixels. */
export const ICON: PictureKind = { kept: inside(512, 512), renditions: [icon(32), icon(64)], noun: 'Icons' };

/** A picture that shows what an add-on looks like. */
export const PREVIEW: PictureKind = {
  kept: inside(2400, 1800),
  renditions: [{ name: 'thumbnail', width: 640, height: 480, fit: 'inside' }],
  noun: 'Images',
};

export const ACCOUNT_PICTURE: PictureKind = { kept: inside(200, 200), renditions: [], noun: 'Images' };

/** The header of a persona. Applications show its right end, so the small ones are made of that. */
export const PERSONA_HEADER: PictureKind = {
  kept: AS_IT_IS,
  renditions: [
    { name: 'persona-preview', width: 680, height: 100, fit: 'cover-right' },
    { name: 'persona-icon', width: 32, height: 32, fit: 'cover-right' },
    { name: 'persona-icon-64', width: 64, height: 64, fit: 'cover-right' },
  ],
  noun: 'Images',
};

export const PERSONA_FOOTER: PictureKind = { kept: AS_IT_IS, renditions: [], noun: 'Images' };
