/* Pages of the logs, whose ids are positions of 64 bits. */
import {
  type ConnectionArguments,
  type ConnectionPage,
  connectionByKey,
  type KeysetPage,
} from '../../graphql/connections.ts';

const LAST = 2n ** 63n - 1n;

/** Parses a position in a log; 0, which no entry has, for malformed text. */
export function positionOf(text: string): bigint {
  const position = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  return position <= LAST ? position : 0n;
}

/** What Prisma reads for a page of a log. */
export interface LogPage {
  where: { id: { gt?: bigint; lt?: bigint } };
  orderBy: { id: 'asc' | 'desc' };
  take: number;
}

function logPage({ before, after, limit, inverted }: KeysetPage<bigint>, newestFirst: boolean): LogPage {
  const [low, high] = newestFirst ? [before, after] : [after, before];
  return {
    where: { id: { ...(low === null ? {} : { gt: low }), ...(high === null ? {} : { lt: high }) } },
    orderBy: { id: newestFirst === inverted ? 'asc' : 'desc' },
    take: limit,
  };
}

/**
 * A page of a log. `list` is the name of its field.
 * @throws {InvalidInputError} as `keysetConnection` does.
 */
export function logConnection<Row extends { id: bigint }>(
  list: string,
  { newestFirst = false, ...args }: ConnectionArguments & { newestFirst?: boolean },
  load: (page: LogPage) => Promise<readonly Row[]>,
): Promise<ConnectionPage<Row>> {
  return connectionByKey({ list, readId: positionOf }, args, (page) => load(logPage(page, newestFirst)));
}
