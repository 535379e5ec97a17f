import { type DocumentNode, type ExecutionArgs, getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { REFUSAL_STATUS, retryHeaders } from '../http/refusal-status.ts';
import { requireWritable } from '../infra/read-only.ts';
import type { Context } from './context.ts';
import { reportError } from './report-error.ts';

/** The mutation that ends read-only mode. */
const EXEMPT = 'setReadOnly';

/** Whether a selection of mutations, with its fragments, has no field but the exempt one. */
function isExempt({ selections }: SelectionSetNode, document: DocumentNode): boolean {
  return selections.every((selection) => {
    if (selection.kind === Kind.FIELD) return [EXEMPT, '__typename'].includes(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return isExempt(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION && isExempt(fragment.selectionSet, document);
  });
}

/** Whether an operation passes in read-only mode: queries, and mutations without a field but the exempt one. */
export const passesReadOnly = (document: DocumentNode, operationName?: string | null): boolean => {
  const operation = getOperationAST(document, operationName);
  return operation?.operation !== 'mutation' || isExempt(operation.selectionSet, document);
};

async function refusalOf({ document, operationName, contextValue }: ExecutionArgs) {
  if (passesReadOnly(document, operationName)) return null;
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
