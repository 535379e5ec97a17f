import type { PictureForm } from '../../infra/pictures/picture-protocol.ts';

/** The stored forms of an uploaded picture. Sizes are in pixels. */
export interface PictureKind {
  /** The largest form, the source of the others and the form of exports. */
  kept: PictureForm;
  /** Smaller forms, by the names in their addresses. */
  renditions: readonly PictureForm[];
  /** First word of error messages. */
  noun: 'Icons' | 'Images';
  /** Size limit of an upload and the message above it. */
  limit: { bytes: number; refusal: string };
  /** The only accepted size of an upload; imports may have others. */
  uploadSize?: PictureSize;
}

export interface PictureSize {
  width: number;
  height: number;
}

/** Icons, previews and account pictures (contract, Limits). people.md D93 fixes the text, 3MB included. */
const LIMIT = { bytes: 4 * 1024 * 1024, refusal: 'Please use images smaller than 3MB.' };
const PERSONA_LIMIT = { bytes: 300 * 1024, refusal: 'Images cannot be larger than 300KB.' };

const inside = (width: number, height: number): PictureForm => ({ name: 'kept', width, height, fit: 'inside' });
/** Larger than the pixel limit allows in either direction. */
const ORIGINAL_SIZE = inside(100_000, 100_000);

const icon = (size: number): PictureForm => ({ name: `icon-${size}`, width: size, height: size, fit: 'contain' });

/** Icons are served in 32 and 64 pixels (contract, Add-on). */
export const ICON: PictureKind = {
  kept: inside(512, 512),
  renditions: [icon(32), icon(64)],
  noun: 'Icons',
  limit: LIMIT,
};

export const PREVIEW: PictureKind = {
  kept: inside(2400, 1800),
  renditions: [{ name: 'thumbnail', width: 640, height: 480, fit: 'inside' }],
  noun: 'Images',
  limit: LIMIT,
};

export const ACCOUNT_PICTURE: PictureKind = { kept: inside(200, 200), renditions: [], noun: 'Images', limit: LIMIT };

/** Applications show the right end of a header, so renditions are cut from there. */
export const PERSONA_HEADER: PictureKind = {
  kept: ORIGINAL_SIZE,
  renditions: [
    { name: 'persona-preview', width: 680, height: 100, fit: 'cover-right' },
    { name: 'persona-icon', width: 32, height: 32, fit: 'cover-right' },
    { name: 'persona-icon-64', width: 64, height: 64, fit: 'cover-right' },
  ],
  noun: 'Images',
  limit: PERSONA_LIMIT,
  uploadSize: { width: 3000, height: 200 },
};

export const PERSONA_FOOTER: PictureKind = {
  kept: ORIGINAL_SIZE,
  renditions: [],
  noun: 'Images',
  limit: PERSONA_LIMIT,
  uploadSize: { width: 3000, height: 100 },
};
