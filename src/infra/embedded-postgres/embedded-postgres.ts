import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from './cluster-location.ts';
import { acquire, release, type ServerLease, serverUrl } from './server-lease.ts';

/** Receives log lines; a pino logger is one. */
interface Log {
  info(text: string): void;
  warn(text: string): void;
}

export interface EmbeddedPostgres {
  /** Connection string of the service's database. Stays valid until `stop`, also when the server has to be restarted. */
  url: string;
  /** True when this call created the database. */
  isNew: boolean;
  /** True when this call started the server; false when one was running already. */
  owner: boolean;
  /** Leaves the server, and stops it when no other process of this installation uses it. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  dataDir: string;
  log: Log;
  /** False trades durability for speed; for tests. */
  durable?: boolean;
}

/**
 * Connects this process to the PostgreSQL server in `<dataDir>/postgres`, which all processes of an installation share. Creates
 * the database and starts the server when needed; restarts it on the same port when it dies.
 * @throws when the server cannot be created or started; the message has instructions for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options;
  const folder = await makeFolder(dataDir);
  let lease = await acquire(folder, durable);
  const { isNew, started, port } = lease;
  log.info(`embedded database ${started ? 'started' : 'found running'} on port ${port}`);
  let stopping = false;
  let recovery: Promise<void> = Promise.resolve();

  const recover = async (): Promise<void> => {
    log.warn('embedded database: the server has ended');
    while (!stopping) {
      try {
        lease = await acquire(folder, durable, port);
        log.info('embedded database: the server is back');
        return watch(lease);
      } catch (error) {
        log.warn(`embedded database: ${(error as Error).message}`);
        await sleep(1000);
      }
    }
  };
  const watch = ({ connection }: ServerLease): void => {
    connection.once('end', () => {
      if (!stopping) recovery = recover();
    });
  };
  watch(lease);

  const stop = async (): Promise<void> => {
    stopping = true;
    await recovery;
    await release(lease);
  };
  return { url: serverUrl(lease), isNew, owner: started, stop };
}
