import type { InputFieldMap, InputShapeFromFields, ObjectFieldsShape } from '@pothos/core';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../errors.ts';
import { builder, type InputFields } from './builder.ts';
import type { Context } from './context.ts';

type Types = typeof builder.$inferSchemaTypes;

type Input<Fields extends InputFieldMap> = InputShapeFromFields<Fields>;

type ErrorClass = new (...args: never[]) => Error;

interface MutationOptions<Fields extends InputFieldMap, Payload extends object> {
  description: string;
  /** Description of the input. */
  input: string;
  inputFields: (t: InputFields) => Fields;
  resolve: (input: Input<Fields>, context: Context) => Promise<Payload> | Payload;
  payloadFields: ObjectFieldsShape<Types, Payload>;
  /** The errors that are members of the result; others are top-level errors of the response. */
  refusals?: ErrorClass[];
}

/**
 * Declares a mutation with the types `<Name>Input`, `<Name>Payload` and `<Name>Result`, which is the payload or one of the
 * refusals.
 */
export function mutation<Fields extends InputFieldMap, Payload extends object>(
  name: string,
  { description, input, inputFields, resolve, payloadFields, refusals }: MutationOptions<Fields, Payload>,
): void {
  const typeName = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  builder.mutationField(name, (t) =>
    t.field({
      type: builder.objectRef<Payload>(`${typeName}Payload`).implement({
        description: `Result of ${name}.`,
        fields: payloadFields,
      }),
      description,
      args: {
        input: t.arg({
          type: builder.inputType(`${typeName}Input`, { description: input, fields: inputFields }),
          required: true,
          description: input,
        }),
      },
      errors: {
        types: refusals ?? [InvalidInputError, NotFoundError, NotPermittedError],
        union: { name: `${typeName}Result`, description: 'The payload, or why the mutation was refused.' },
      },
      resolve: (_root, args, context) => resolve((args as { input: Input<Fields> }).input, context) as never,
    }),
  );
}

/** The fields of an input that are neither absent nor null. */
export function givenFields<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const given = Object.entries(values).filter(([, value]) => value != null);
  return Object.fromEntries(given) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
