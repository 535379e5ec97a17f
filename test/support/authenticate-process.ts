import { authenticate } from '../../src/auth/authenticate.ts';
import { settleUses } from '../../src/auth/record-use.ts';
import { closeDatabase } from '../../src/infra/db.ts';

/**
 * Authenticates the Authorization header given as the only argument in a new process, and prints the outcome. Database and data
 * folder come from the environment.
 */
const [authorization] = process.argv.slice(2);
const outcome = await authenticate({ authorization, ip: null, jti: 'required' }).then(
  (viewer) => viewer.kind,
  (error: Error) => error.message,
);
process.stdout.write(outcome);
await settleUses();
await closeDatabase();
