import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeDocument,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { ServiceError } from '../errors.ts';
import type { TypedDocumentString } from '../generated/operations/graphql.ts';
import { explainDatabaseError } from '../infra/database-errors.ts';
import { requireWritable } from '../infra/read-only.ts';
import type { Context } from './context.ts';
import { type Plan, Plans, type Values } from './plan.ts';
import { exempt } from './query-cost.ts';
import { collectRefusals } from './refusals.ts';
import { runPlan } from './run-plan.ts';
import { schema } from './schema.ts';

/** A document that has been parsed and found valid. */
interface Prepared {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** Of a query. */
  plans: Plans | null;
}

/** The documents of this program, by their text. They are a fixed set, as nothing builds one at run time. */
const prepared = new Map<string, Prepared>();

/**
 * Parses and validates a checked-in document, once for the life of the process.
 * @throws {Error} naming what does not fit the schema: a mistake of ours.
 */
export function prepare(text: string): Prepared {
  const known = prepared.get(text);
  if (known) return known;
  const document = parse(text, { noLocation: true });
  const problems = validate(schema, document);
  if (problems.length > 0) throw new Error(`Invalid operation: ${problems.map(({ message }) => message).join(' ')}`);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('Invalid operation: there has to be one of them.');
  const plans = operation.operation === OperationTypeNode.QUERY ? new Plans(schema, operation, document) : null;
  const ready = { document, operation, plans };
  prepared.set(text, ready);
  return ready;
}

/**
 * Runs one of our own operations inside this process: the only door to the domain. Returns its data.
 * @throws the first error as it was thrown: a ServiceError for what a caller can understand, also where the mutation's
 * result would have had it as a member; anything else is our fault. Mutations throw ReadOnlyError in read-only mode.
 */
export async function execute<TResult, TVariables>(
  document: TypedDocumentString<TResult, TVariables>,
  variables: TVariables,
  context: Context,
): Promise<TResult> {
  const { document: node, operation, plans } = prepare(document.toString());
  if (plans === null) await requireWritable(context.locale);
  exempt(context);
  const values = coerce(operation, variables as Record<string, unknown>);
  const plan = plans?.for(values);
  if (plan) return (await follow(plan, values, context)) as TResult;
  const run = async () =>
    executeDocument({
      schema,
      document: node,
      variableValues: variables as Record<string, unknown>,
      contextValue: context,
    });
  // Only the results of mutations have errors as members.
  if (plans !== null) return dataOf<TResult>(await run());
  const { result, refusals } = await collectRefusals(run);
  for (const error of refusals) throw explainDatabaseError(error);
  return dataOf<TResult>(result);
}

/** The variables as the operation declares them. @throws {GraphQLError} for one that does not fit. */
function coerce({ variableDefinitions = [] }: OperationDefinitionNode, variables: Record<string, unknown>): Values {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, variables);
  for (const error of errors ?? []) throw error;
  return coerced ?? {};
}

async function follow(plan: Plan, variables: Values, context: Context): Promise<unknown> {
  try {
    return await runPlan(plan, variables, context);
  } catch (error) {
    throw originalOf(error);
  }
}

function dataOf<TResult>({ data, errors }: ExecutionResult): TResult {
  for (const error of errors ?? []) throw originalOf(error);
  return data as TResult;
}

/** The error that a resolver threw, without what execution wrapped around it; the database's put into our words. */
export function originalOf(error: unknown): unknown {
  let original = error;
  while (!(original instanceof ServiceError) && original instanceof GraphQLError && original.originalError) {
    original = original.originalError;
  }
  return explainDatabaseError(original);
}
