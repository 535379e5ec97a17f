import { acceptSharedKey, SHARED_KEYS } from '../auth/shared-keys.ts';
import { COMMAND_LINE, recordAudit } from '../domain/activity/record-audit.ts';
import { db } from '../infra/db.ts';
import { type Invocation, UsageError } from './command.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Makes a key of this host that of the installation, after the earlier one was lost or replaced. */
export async function acceptKey(invocation: Invocation): Promise<void> {
  const name = invocation.argument('NAME');
  const key = SHARED_KEYS.find((each) => each === name);
  if (key === undefined) throw new UsageError(`shared-key accept: NAME is one of ${SHARED_KEYS.join(', ')}`);
  await withDatabase(
    () =>
      db.$transaction(async (tx) => {
        await acceptSharedKey(tx, key);
        await recordAudit(tx, COMMAND_LINE, 'shared-key-accepted', { key });
      }),
    'unchecked',
  );
  print(`${key} of this host is that of the installation. Hosts with another one do not start.`);
}
