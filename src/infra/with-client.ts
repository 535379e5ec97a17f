import pg from 'pg';

/** Runs `work` on a connection of its own, whose session ends with it. @throws what `work` throws, and when the server cannot be reached. */
export async function withClient<Result>(
  settings: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(settings);
  // An `error` event without a listener would end the process; the statement under way fails anyway.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
