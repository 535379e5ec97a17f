import { getIntrospectionQuery } from 'graphql';
import type { Row } from '../report.ts';
import type { Site } from './site.ts';

const WARM_UP = 20;
const REQUESTS = 100;

/** Processor time of the server for the whole introspection query, once its result is cached. */
export async function introspectionRows(site: Site): Promise<Row[]> {
  const send = () =>
    site.send({
      path: '/graphql',
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery() }),
    });
  for (let index = 0; index < WARM_UP; index++) await send();
  const before = await site.processorTime();
  for (let index = 0; index < REQUESTS; index++) await send();
  const value = ((await site.processorTime()) - before) / REQUESTS;
  return [
    { what: 'Introspection, the whole standard query again: processor time', value, unit: 'ms', goal: { max: 20 } },
  ];
}
