import { z } from 'zod';
import type { ResponseDoc } from '../route.ts';
import type { View } from '../view.ts';

/** The result of a nullable look-up. A failed look-up makes `execute` throw its error, so null never reaches a reply. */
export function requireFound<Value>(value: Value | null | undefined): Value {
  if (value == null) throw new Error('a look-up returned null without an error');
  return value;
}

/** The schema of a key, and its value; undefined leaves the key out. */
export type ShapeKey<Selected> = readonly [z.ZodType, (selected: Selected, view: View) => unknown];

/** A key that differs between the submission API (v5) and the other API versions, or is absent in one of them. */
export interface GatedKey<Selected> {
  contract?: ShapeKey<Selected>;
  v5?: ShapeKey<Selected>;
}

/** The keys of an object in their order. */
export type ShapeKeys<Selected> = Readonly<Record<string, ShapeKey<Selected> | GatedKey<Selected>>>;

/** A JSON object of the contract: its schemas, and the function that makes it from what an operation selects. */
export interface Shape<Selected> {
  schema: z.ZodObject;
  /** The schema under v5. */
  v5: z.ZodObject;
  write(selected: Selected, view: View): Record<string, unknown>;
}

const isGated = <Selected>(key: ShapeKey<Selected> | GatedKey<Selected>): key is GatedKey<Selected> =>
  !Array.isArray(key);

function keysOf<Selected>(
  keys: ShapeKeys<Selected>,
  api: keyof GatedKey<Selected>,
): (readonly [string, ShapeKey<Selected>])[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    const own = isGated(key) ? key[api] : key;
    return own === undefined ? [] : [[name, own] as const];
  });
}

/**
 * Declares a JSON object. `id` names its schema in the OpenAPI documents. `v5Keys` are the keys under v5 where their order
 * differs.
 */
export function shape<Selected>(keys: ShapeKeys<Selected>, id?: string, v5Keys = keys): Shape<Selected> {
  const [contract, v5] = [keysOf(keys, 'contract'), keysOf(v5Keys, 'v5')];
  const schemaOf = (own: typeof v5) => {
    const schema = z.strictObject(Object.fromEntries(own.map(([name, [type]]) => [name, type])));
    return id === undefined ? schema : schema.meta({ id });
  };
  return {
    schema: schemaOf(contract),
    v5: schemaOf(v5),
    write(selected, view) {
      const json: Record<string, unknown> = {};
      for (const [name, [, value]] of view.gates.submission ? v5 : contract) json[name] = value(selected, view);
      return json;
    },
  };
}

/** A key with a list of objects. */
export function listKey<Selected, Item>(
  item: Shape<Item>,
  itemsOf: (selected: Selected) => readonly Item[],
): Required<GatedKey<Selected>> {
  const value = (selected: Selected, view: View) => itemsOf(selected).map((each) => item.write(each, view));
  return { contract: [z.array(item.schema), value], v5: [z.array(item.v5), value] };
}

/** A documented response with an object in the form of each API version. */
export function responseOf(description: string, { schema, v5 }: Pick<Shape<never>, 'schema' | 'v5'>): ResponseDoc {
  return { description, schema, v5 };
}
