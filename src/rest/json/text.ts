import { z } from 'zod';
import { type TextFields, translated } from '../translations.ts';
import type { View } from '../view.ts';
import type { GatedKey } from './shape.ts';

/** Schema of a translated field (contract, Translated fields). */
export const translatedField = z
  .union([z.string(), z.record(z.string(), z.string())])
  .nullable()
  .meta({ id: 'Text' });

/** Schema of a translated field that is an object whatever the request (submission API). */
const textObject = z.record(z.string(), z.string());

/** The same, or null without a text. */
const textOrNull = z.union([textObject, z.null()]).meta({ id: 'Text' });

/** Schema of a date: UTC, whole seconds. */
export const dateTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

type Text = ReturnType<typeof translated>;

/** A key with a translated text, for each API version. `change` is applied to the text, for example to wrap its links. */
export function textKey<Selected>(
  textOf: (selected: Selected) => TextFields | null | undefined,
  change: (text: Text, view: View) => Text = (text) => text,
): Required<GatedKey<Selected>> {
  const value = (selected: Selected, view: View) => {
    const text = textOf(selected);
    return text === undefined ? undefined : change(translated(text, view), view);
  };
  return { contract: [translatedField, value], v5: [textOrNull, value] };
}

/** Schema of an address on another site: as written, and through the outgoing-link host (submission API). */
export const addressOf = <Value extends z.ZodType>(value: Value) =>
  z.union([z.strictObject({ url: value, outgoing: value }), z.null()]);

/** Schema of a translated address. */
export const addressTexts = addressOf(textObject);
