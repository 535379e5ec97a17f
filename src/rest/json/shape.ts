import { z } from 'zod';
import type { View } from '../view.ts';

/** The keys of an object in their order: the schema of each, and its value; undefined leaves the key out. */
type Keys<Selected> = Readonly<Record<string, readonly [z.ZodType, (selected: Selected, view: View) => unknown]>>;

/** A JSON object of the contract: its schema, and the function that makes it from what an operation selects. */
export interface Shape<Selected> {
  schema: z.ZodObject;
  write(selected: Selected, view: View): Record<string, unknown>;
}

/** Declares a JSON object. `id` names its schema in the OpenAPI documents. */
export function shape<Selected>(keys: Keys<Selected>, id?: string): Shape<Selected> {
  const schema = z.strictObject(Object.fromEntries(Object.entries(keys).map(([key, [type]]) => [key, type])));
  const values = Object.entries(keys).map(([key, [, value]]) => [key, value] as const);
  return {
    schema: id === undefined ? schema : schema.meta({ id }),
    write(selected, view) {
      const json: Record<string, unknown> = {};
      for (const [key, value] of values) json[key] = value(selected, view);
      return json;
    },
  };
}
