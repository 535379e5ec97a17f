import type { InputFieldMap, InputShapeFromFields, ObjectFieldsShape } from '@pothos/core';
import { requireRecentSignIn } from '../auth/recent-sign-in.ts';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../errors.ts';
import { builder, type InputFields } from './builder.ts';
import type { Context } from './context.ts';
import { globalId } from './global-id.ts';
import { RECENT_SIGN_IN } from './sign-in-rules.ts';

/** The sentence about it in the description of a mutation; empty for mutations that need none. */
function recentSignInNote(name: string): string {
  const rule = RECENT_SIGN_IN[name];
  if (rule === undefined) return '';
  return ` Needs a sign-in of the last 15 minutes${rule === 'always' ? '' : ` ${rule}`}, which API keys do not prove.`;
}

/** @throws {NotAuthenticatedError}, {NotPermittedError} without the recent sign-in that the mutation needs. */
function checkRecentSignIn(name: string, input: unknown, { viewer, waivesRecentSignIn }: Context): void {
  const rule = RECENT_SIGN_IN[name];
  if (rule === undefined || waivesRecentSignIn) return;
  if (rule === 'for other accounts' && viewer.kind === 'account') {
    if ((input as { id?: unknown }).id === globalId('Account', viewer.accountId)) return;
  }
  if (rule === 'on behalf of the operator' && (input as { by?: unknown }).by !== 'operator') return;
  requireRecentSignIn(viewer);
}

type Types = typeof builder.$inferSchemaTypes;

/** The values of input fields. */
export type InputOf<Fields extends InputFieldMap> = InputShapeFromFields<Fields>;

type ErrorClass = new (...args: never[]) => Error;

interface MutationOptions<Fields extends InputFieldMap, Payload extends object> {
  description: string;
  /** Description of the input. */
  input: string;
  inputFields: (t: InputFields) => Fields;
  resolve: (input: InputOf<Fields>, context: Context) => Promise<Payload> | Payload;
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
  builder.mutationField(name, (t) =>
    t.field({
      type: payloadType(name, payloadFields),
      description: description + recentSignInNote(name),
      args: {
        input: t.arg({
          type: builder.inputType(`${typeNameOf(name)}Input`, { description: input, fields: inputFields }),
          required: true,
          description: input,
        }),
      },
      errors: resultUnion(name, refusals),
      resolve: (async (_root: unknown, args: object, context: Context) => {
        const { input: values } = args as { input: InputOf<Fields> };
        checkRecentSignIn(name, values, context);
        return resolve(values, context);
      }) as never,
    }),
  );
}

/** Declares a mutation without input, with the types `<Name>Payload` and `<Name>Result`. */
export function mutationWithoutInput<Payload extends object>(
  name: string,
  options: { description: string; resolve: (context: Context) => Promise<Payload> } & Pick<
    MutationOptions<never, Payload>,
    'payloadFields'
  >,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: payloadType(name, options.payloadFields),
      description: options.description + recentSignInNote(name),
      errors: resultUnion(name),
      resolve: (async (_root: unknown, _args: object, context: Context) => {
        checkRecentSignIn(name, {}, context);
        return options.resolve(context);
      }) as never,
    }),
  );
}

const typeNameOf = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

function payloadType<Payload extends object>(name: string, fields: ObjectFieldsShape<Types, Payload>) {
  const payload = builder.objectRef<Payload>(`${typeNameOf(name)}Payload`);
  return payload.implement({ description: `Result of ${name}.`, fields });
}

function resultUnion(name: string, refusals: ErrorClass[] = [InvalidInputError, NotFoundError, NotPermittedError]) {
  const description = 'The payload, or why the mutation was refused.';
  return { types: refusals, union: { name: `${typeNameOf(name)}Result`, description } };
}

/** The fields of an input that are neither absent nor null. */
export function givenFields<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const given = Object.entries(values).filter(([, value]) => value != null);
  return Object.fromEntries(given) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
