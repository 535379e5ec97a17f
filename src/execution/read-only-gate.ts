import type { ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../graphql/context.ts';
import { REFUSAL_STATUS, retryHeaders } from '../http/refusal-status.ts';
import { requireWritable } from '../infra/read-only.ts';
import { isAllowedInReadOnly } from './execute.ts';
import { reportError } from './report-error.ts';

async function refusalOf({ document, operationName, contextValue }: ExecutionArgs) {
  if (isAllowedInReadOnly(document, operationName)) return null;
  try {
    await requireWritable((contextValue as Context).locale);
    return null;
  } catch (error) {
    const refusal = reportError(error);
    refusal.extensions.http = { status: REFUSAL_STATUS.READ_ONLY, headers: retryHeaders('READ_ONLY') };
    return refusal;
  }
}

/** Refuses mutations in read-only mode, with status 503. Queries pass, whatever the HTTP method. */
export const readOnlyGate: Plugin<Context> = {
  async onExecute({ args, setResultAndStopExecution }) {
    const refusal = await refusalOf(args);
    if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
  },
};
