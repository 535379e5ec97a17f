import { recordAudit } from '../domain/activity/record-audit.ts';
import { db } from '../infra/db.ts';
import { type Invocation, UsageError } from './command.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Switches read-only (maintenance) mode of all processes (contract, 503 and read-only mode). */
export async function switchReadOnly(invocation: Invocation): Promise<void> {
  const state = invocation.argument('STATE');
  if (state !== 'on' && state !== 'off') throw new UsageError(`read-only: STATE is on or off, not '${state}'`);
  const value = state === 'on';
  await withDatabase(() =>
    db.$transaction(async (tx) => {
      const name = 'read_only';
      await tx.serviceState.upsert({
        where: { name },
        create: { name, value },
        update: { value, modified: new Date() },
      });
      await recordAudit(tx, 'operator', 'read-only-switched', { readOnly: value });
    }),
  );
  print(`Read-only mode is ${state}; every process follows within a second.`);
}
