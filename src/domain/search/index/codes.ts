import { ADDON_TYPES, type AddonType } from '../../../package/enums.ts';

/** The bit of one word in a mask of the words of `list`. */
export function bitOf<Value extends string>(list: readonly Value[], value: Value): number {
  return 1 << list.indexOf(value);
}

/** The mask of several words; words that are not in `list` are ignored. */
export function maskOf<Value extends string>(list: readonly Value[], values: Iterable<string>): number {
  let mask = 0;
  for (const value of values) {
    const index = list.indexOf(value as Value);
    if (index !== -1) mask |= 1 << index;
  }
  return mask;
}

/** The words of a mask. */
export function wordsOf<Value extends string>(list: readonly Value[], mask: number): Value[] {
  return list.filter((_, index) => (mask & (1 << index)) !== 0);
}

/**
 * The bit, in the mask of platforms, of an add-on without a file that today's clients can install. Personas never have a file; they are
 * recognized by their type and do not have the bit. A column of its own would be missing in the counters of lists.
 */
export const NOT_INSTALLABLE = 1 << 14;

/** The number of an add-on type. */
export function typeCode(type: AddonType): number {
  return ADDON_TYPES.indexOf(type);
}
