import type { PictureForm } from '../../infra/pictures/picture-protocol.ts';
import { type Message, message } from '../../texts/messages.ts';

const ICON_CODES = {
  empty: 'icon.empty_file',
  unknown: 'icon.no_picture',
  foreign: 'icon.other_format',
  animated: 'icon.animated',
  huge: 'icon.too_many_pixels',
  long: 'icon.side_too_long',
} as const;

const IMAGE_CODES = {
  empty: 'image.empty_file',
  unknown: 'image.no_picture',
  foreign: 'image.other_format',
  animated: 'image.animated',
  huge: 'image.too_many_pixels',
  long: 'image.side_too_long',
} as const;

/** An account picture that is no picture has a text of its own (docs/decisions.md D93). */
const ACCOUNT_CODES = { ...IMAGE_CODES, empty: 'picture.empty_file', unknown: 'picture.no_picture' } as const;

/** The stored forms of an uploaded picture. Sizes are in pixels. */
export interface PictureKind {
  /** The largest form, the source of the others and the form of exports. */
  kept: PictureForm;
  /** Smaller forms, by the names in their addresses. */
  renditions: readonly PictureForm[];
  /** The codes of its refusals. */
  codes: typeof ICON_CODES | typeof IMAGE_CODES | typeof ACCOUNT_CODES;
  /** Size limit of an upload and the message above it. */
  limit: { bytes: number; refusal: Message };
  /** The only accepted size of an upload; imports may have others. */
  uploadSize?: PictureSize;
}

export interface PictureSize {
  width: number;
  height: number;
}

/** Icons, previews and account pictures (contract, Limits). docs/decisions.md D93 fixes the text, 3MB included. */
const LIMIT_BYTES = 4 * 1024 * 1024;
const LIMIT = { bytes: LIMIT_BYTES, refusal: message('picture.too_large', { max: LIMIT_BYTES }) };
const PERSONA_LIMIT = { bytes: 300 * 1024, refusal: message('picture.persona_too_large') };

const inside = (width: number, height: number): PictureForm => ({ name: 'kept', width, height, fit: 'inside' });
/** Larger than the pixel limit allows in either direction. */
const ORIGINAL_SIZE = inside(100_000, 100_000);

const icon = (size: number): PictureForm => ({ name: `icon-${size}`, width: size, height: size, fit: 'contain' });

/** Icons are served in 32 and 64 pixels (contract, Add-on). */
export const ICON_KIND: PictureKind = {
  kept: inside(512, 512),
  renditions: [icon(32), icon(64)],
  codes: ICON_CODES,
  limit: LIMIT,
};

export const PREVIEW_KIND: PictureKind = {
  kept: inside(2400, 1800),
  renditions: [{ name: 'thumbnail', width: 640, height: 480, fit: 'inside' }],
  codes: IMAGE_CODES,
  limit: LIMIT,
};

export const ACCOUNT_PICTURE: PictureKind = {
  kept: inside(200, 200),
  renditions: [],
  codes: ACCOUNT_CODES,
  limit: LIMIT,
};

/** Applications show the right end of a header, so renditions are cut from there. */
export const PERSONA_HEADER: PictureKind = {
  kept: ORIGINAL_SIZE,
  renditions: [
    { name: 'persona-preview', width: 680, height: 100, fit: 'cover-right' },
    { name: 'persona-icon', width: 32, height: 32, fit: 'cover-right' },
    { name: 'persona-icon-64', width: 64, height: 64, fit: 'cover-right' },
  ],
  codes: IMAGE_CODES,
  limit: PERSONA_LIMIT,
  uploadSize: { width: 3000, height: 200 },
};

export const PERSONA_FOOTER: PictureKind = {
  kept: ORIGINAL_SIZE,
  renditions: [],
  codes: IMAGE_CODES,
  limit: PERSONA_LIMIT,
  uploadSize: { width: 3000, height: 100 },
};
