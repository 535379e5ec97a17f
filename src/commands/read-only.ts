import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { switchReadOnly } from '../domain/maintenance/switch-read-only.ts';
import { type Invocation, UsageError } from './command.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Switches read-only (maintenance) mode of all processes (contract, 503 and read-only mode). */
export async function runReadOnly(invocation: Invocation): Promise<void> {
  const state = invocation.argument('STATE');
  if (state !== 'on' && state !== 'off') throw new UsageError(`read-only: STATE is on or off, not '${state}'`);
  await withDatabase(() => switchReadOnly(COMMAND_LINE, state === 'on', invocation.optionalText('reason') ?? ''));
  print(`Read-only mode is ${state}; every process follows within a second.`);
}
