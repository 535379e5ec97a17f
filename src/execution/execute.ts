import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeDocument,
  GraphQLError,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { InvalidInputError, ServiceError } from '../errors.ts';
import type { TypedDocumentString } from '../generated/operations/graphql.ts';
import { type Context, languageOf } from '../graphql/context.ts';
import { exempt } from '../graphql/query-cost.ts';
import { collectRefusals } from '../graphql/refusals.ts';
import { currentRequest } from '../infra/current-request.ts';
import { explainDatabaseError } from '../infra/database-errors.ts';
import { isMeasured, operationSeconds } from '../infra/metrics.ts';
import { requireWritable } from '../infra/read-only.ts';
import { inSpan } from '../infra/tracing.ts';
import { message } from '../texts/messages.ts';
import { fullSchema } from './schema.ts';
import { subscribe } from './subscribe.ts';

/** A parsed and validated operation. */
interface Prepared {
  name: string;
  isMutation: boolean;
  /** Whether read-only mode allows it. */
  passesReadOnly: boolean;
  run(variables: Record<string, unknown>, context: Context): ExecutionResult | Promise<ExecutionResult>;
}

/** Prepared operations by text. The set is bounded, because no operation is built at run time. */
const prepared = new Map<string, Prepared>();

/**
 * Parses, validates and compiles a checked-in document, once per process. Mutations are not compiled: they are rare, and
 * their plugins need the executor of `graphql`.
 * @throws {Error} if the document does not match the schema, which is a bug.
 */
export function prepareDocument(text: string): Prepared {
  const known = prepared.get(text);
  if (known) return known;
  const document = parse(text, { noLocation: true });
  const problems = validate(fullSchema, document);
  if (problems.length > 0) throw new Error(`Invalid operation: ${problems.map(({ message }) => message).join(' ')}`);
  const operation = getOperationAST(document);
  const run = operation?.operation === 'query' ? compiled(document) : uncompiled(document);
  const ready = { name: operation?.name?.value ?? '', ...run };
  prepared.set(text, ready);
  return ready;
}

function compiled(document: DocumentNode): Omit<Prepared, 'name'> {
  const query = compileQuery(fullSchema, document);
  if (!isCompiledQuery(query)) throw new Error('Invalid operation: it cannot be compiled.');
  return {
    isMutation: false,
    passesReadOnly: true,
    run: (variables, context) => query.query(undefined, context, variables),
  };
}

function uncompiled(document: DocumentNode): Omit<Prepared, 'name'> {
  return {
    isMutation: true,
    passesReadOnly: isAllowedInReadOnly(document),
    run: (variableValues, contextValue) =>
      executeDocument({ schema: fullSchema, document, variableValues, contextValue }),
  };
}

/**
 * Runs a checked-in operation in this process and returns its data. REST reaches the domain only through this function.
 * @throws the first original error: a ServiceError for client errors, including those that mutation results have as union
 * members; any other error is a bug. Mutations throw ReadOnlyError in read-only mode.
 */
export async function execute<TResult, TVariables>(
  document: TypedDocumentString<TResult, TVariables>,
  variables: TVariables,
  context: Context,
): Promise<TResult> {
  const operation = prepareDocument(document.toString());
  context.operations?.push(operation.name);
  const measured = isMeasured() ? operationSeconds.startTimer({ operation: operation.name }) : null;
  try {
    return await inSpan(operation.name, {}, () =>
      runPrepared<TResult>(operation, variables as Record<string, unknown>, context),
    );
  } finally {
    measured?.();
  }
}

async function runPrepared<TResult>(
  { isMutation, run, passesReadOnly }: Prepared,
  variables: Record<string, unknown>,
  context: Context,
): Promise<TResult> {
  if (!passesReadOnly) await requireWritable(languageOf(context));
  exempt(context);
  const result = async () => run(variables, context);
  // Only mutation results are unions with error members.
  if (!isMutation) return dataOf<TResult>(await result());
  const { result: changed, refusals } = await collectRefusals(() => currentRequest.run(context, result));
  for (const error of refusals) throw explainDatabaseError(error);
  return dataOf<TResult>(changed);
}

function dataOf<TResult>({ data, errors }: ExecutionResult): TResult {
  for (const error of errors ?? []) throw refusalOf(originalOf(error));
  return data as TResult;
}

/** What the schema builder throws for malformed cursors, page sizes and global ids, which operations pass on unchecked. */
const refusalOf = (error: unknown): unknown =>
  error instanceof Error && error.name === 'PothosValidationError'
    ? new InvalidInputError(message('request.invalid_argument', { problem: error.message }))
    : error;

/** Unwraps the error that a resolver threw, and converts database errors to service errors. */
export function originalOf(error: unknown): unknown {
  let original = error;
  while (!(original instanceof ServiceError) && original instanceof GraphQLError && original.originalError) {
    original = original.originalError;
  }
  return explainDatabaseError(original);
}

/**
 * Runs a checked-in subscription in this process. Its events end when the consumer calls `return`.
 * @throws the first original error, as `execute` does; so do the events.
 */
export async function executeSubscription<TResult, TVariables>(
  document: TypedDocumentString<TResult, TVariables>,
  variables: TVariables,
  context: Context,
): Promise<AsyncIterableIterator<TResult>> {
  const results = await subscribe({
    schema: fullSchema,
    document: parse(document.toString(), { noLocation: true }),
    variableValues: variables as Record<string, unknown>,
    contextValue: context,
  });
  if (!(Symbol.asyncIterator in results)) return dataOf<AsyncIterableIterator<TResult>>(results);
  const events: AsyncIterableIterator<TResult> = {
    async next() {
      const { done, value } = await results.next();
      return done ? { done, value: undefined } : { done: false, value: dataOf<TResult>(value) };
    },
    async return() {
      await results.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => events,
  };
  return events;
}

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
export const isAllowedInReadOnly = (document: DocumentNode, operationName?: string | null): boolean => {
  const operation = getOperationAST(document, operationName);
  return operation?.operation !== 'mutation' || isExempt(operation.selectionSet, document);
};
