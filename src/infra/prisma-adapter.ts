import { PrismaPg } from '@prisma/adapter-pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

const ENDS = /^(?:commit|rollback)$/i;
/** Prisma's own code for a statement in a transaction that has ended. */
const ENDED = 'P2028';

/**
 * The adapter of Prisma for PostgreSQL. When a transaction times out during a write of several statements, Prisma rolls it back and then
 * sends the other statements. By then another request may use the connection, and they would be committed, so they are refused here.
 */
export class PrismaAdapter extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => refuseAfterEnd(await start(isolationLevel));
    return adapter;
  }
}

function refuseAfterEnd(transaction: Transaction): Transaction {
  const [queryRaw, executeRaw] = [transaction.queryRaw.bind(transaction), transaction.executeRaw.bind(transaction)];
  let isOpen = true;
  const requireOpen = () => {
    if (!isOpen) throw Object.assign(new Error('The transaction has ended before this statement.'), { code: ENDED });
  };
  return Object.assign(transaction, {
    queryRaw: async (query: Parameters<typeof queryRaw>[0]) => {
      requireOpen();
      return queryRaw(query);
    },
    executeRaw: async (query: Parameters<typeof executeRaw>[0]) => {
      if (ENDS.test(query.sql)) isOpen = false;
      else requireOpen();
      return executeRaw(query);
    },
  });
}
