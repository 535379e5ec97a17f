import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { switchReadOnly } from '../domain/maintenance/switch-read-only.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { type Invocation, print, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Switches read-only (maintenance) mode of all processes (contract, 503 and read-only mode). */
export async function runReadOnly(invocation: Invocation): Promise<void> {
  const state = invocation.argument('STATE');
  if (state !== 'on' && state !== 'off') throw new UsageError(`read-only: STATE is on or off, not '${state}'`);
  const continues = await withDatabase(async () => {
    await switchReadOnly(COMMAND_LINE, state === 'on', invocation.optionalText('reason') ?? '');
    return state === 'off' && (await isReadOnly());
  });
  if (continues) print('The switch is off. Read-only mode continues: a disk is nearly full, or READ_ONLY is set.');
  else print(`Read-only mode is ${state}; every process follows within a second.`);
}
