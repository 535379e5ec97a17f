import { authenticate } from '../../src/auth/authenticate.ts';
import { settleUses } from '../../src/auth/record-use.ts';
import { closeDatabase } from '../../src/infra/db.ts';

/**
 * A process of its own that judges one Authorization header, given as its only argument, and prints what came of it. The
 * database and the data folder are those of its environment.
 */
const [authorization] = process.argv.slice(2);
const outcome = await authenticate({ authorization, ip: null, jti: 'required' }).then(
  (viewer) => viewer.kind,
  (error: Error) => error.message,
);
process.stdout.write(outcome);
await settleUses();
await closeDatabase();
