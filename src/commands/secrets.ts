import { resealAll } from '../auth/reseal.ts';
import { currentSecret } from '../auth/secret-box.ts';
import { acceptSharedKey, replaceSecretKey, SHARED_KEYS } from '../auth/shared-keys.ts';
import { config } from '../config.ts';
import { COMMAND_LINE, recordAudit } from '../domain/activity/record-audit.ts';
import { db } from '../infra/db.ts';
import { CommandError, type Invocation, print, printJson, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/**
 * Replaces the secret key of the installation, which SECRET_KEY_PREVIOUS is, by SECRET_KEY: new values are made with it, and everything
 * that the previous one sealed is sealed with it. Afterwards nothing needs the previous one.
 */
export async function reseal(invocation: Invocation): Promise<void> {
  const previous = config.SECRET_KEY_PREVIOUS;
  if (previous === undefined) {
    throw new CommandError('SECRET_KEY_PREVIOUS is not set: it is the key that SECRET_KEY replaces.');
  }
  await withDatabase(async () => {
    const secret = currentSecret();
    if (secret === previous) throw new CommandError('SECRET_KEY and SECRET_KEY_PREVIOUS are the same key.');
    const endsLinks = invocation.flag('end-links');
    await db.$transaction(async (tx) => {
      const isReplaced = await replaceSecretKey(tx, { secret, previous, endsLinks });
      await recordAudit(tx, COMMAND_LINE, 'secret-key-replaced', { isRepeated: !isReplaced, endsLinks });
    });
    const found = await resealAll(secret, previous);
    if (invocation.flag('json')) return printJson(found);
    print(
      `${found.resealed} secrets sealed with the new key, ${found.current} were already. ` +
        'Remove SECRET_KEY_PREVIOUS, and let every process read its settings again.',
    );
    if (found.unopenable > 0)
      print(`${found.unopenable} secrets were sealed with a key before these, and stay unusable.`);
  });
}

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
