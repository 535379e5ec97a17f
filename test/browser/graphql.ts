/**
 * Sends a GraphQL request. `authorization` is null for anonymous clients. Returns the data of the response.
 * @throws {Error} if it has errors.
 */
export async function sendGraphql<Data>(
  origin: string,
  authorization: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  if (data == null || errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 500));
  return data;
}
