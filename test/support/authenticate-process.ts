import { authenticate } from '../../src/auth/authenticate.ts';
import { settleUses } from '../../src/auth/record-last-used.ts';
import type { JtiRule } from '../../src/auth/used-nonces.ts';
import { closeDatabase } from '../../src/infra/db.ts';

/**
 * Authenticates the Authorization header given as the first argument in a new process, and prints the outcome. The second
 * argument is the rule for its nonce. Database and data folder come from the environment.
 */
const [authorization, rule = 'required'] = process.argv.slice(2);
const outcome = await authenticate({ authorization, ip: null, jti: rule as JtiRule }).then(
  (viewer) => viewer.kind,
  (error: Error) => error.message,
);
process.stdout.write(outcome);
await settleUses();
await closeDatabase();
