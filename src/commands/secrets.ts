import { resealAll } from '../auth/reseal.ts';
import { currentSecret } from '../auth/secret-box.ts';
import { replaceSecretKey } from '../auth/shared-keys.ts';
import { config } from '../config.ts';
import { COMMAND_LINE, recordAudit } from '../domain/activity/record-audit.ts';
import { db } from '../infra/db.ts';
import { CommandError, type Invocation } from './command.ts';
import { print, printJson } from './output.ts';
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
