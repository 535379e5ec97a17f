import { InvalidInputError, NotFoundError, NotPermittedError } from '../errors.ts';

/** Field option `errors` of a mutation: its result is a union of the payload and the usual refusals. */
export const mutationResult = (name: string) => ({
  types: [InvalidInputError, NotFoundError, NotPermittedError],
  union: { name, description: 'The payload, or why the mutation was refused.' },
});
