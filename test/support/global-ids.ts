/** The global id of an object, as GraphQL returns it. */
export const globalId = (typename: string, id: unknown): string => Buffer.from(`${typename}:${id}`).toString('base64');

const TYPES: Readonly<Record<string, string>> = {
  account: 'Account',
  accounts: 'Account',
  addon: 'Addon',
  categories: 'Category',
  category: 'Category',
  license: 'License',
};

/** The type that `id` names in the input of a mutation. */
function typeOfId(mutation: string): string {
  if (/(Version|Preview)$/.test(mutation)) return mutation.endsWith('Version') ? 'Version' : 'Preview';
  if (mutation.endsWith('AuthorInvitation')) return 'AuthorInvitation';
  return /Account(Picture)?$/.test(mutation) ? 'Account' : 'Addon';
}

function converted(type: string | undefined, value: unknown): unknown {
  if (type === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => converted(type, each));
  if (typeof value === 'object' && value !== null && 'id' in value) {
    return { ...value, id: converted(type, value.id) };
  }
  return typeof value === 'number' ? globalId(type, value) : value;
}

/** Converts the database ids in the input of a mutation, given by its name or text, to global ids. */
export function withGlobalIds(mutation: string, input: object): Record<string, unknown> {
  const name = /(\w+)\(input:/.exec(mutation)?.[1] ?? mutation;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, converted(key === 'id' ? typeOfId(name) : TYPES[key], value)]),
  );
}
