/*
 * Runs a plan: what section 6 of the GraphQL specification says of queries, less what only arbitrary ones need. The first
 * error ends a run, as our own operations want their data whole.
 */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from './context.ts';
import type { Plan, PlannedField, Shape, Values } from './plan.ts';

type Path = GraphQLResolveInfo['path'];
type Target = Record<string | number, unknown>;

/**
 * The data of a query.
 * @throws the first error of a resolver, as it was thrown; an Error for a value that does not fit its type.
 */
export function runPlan(plan: Plan, variables: Values, context: Context): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => new Run(plan, variables, context, { resolve, reject }).start());
}

interface Outcome {
  resolve(data: Record<string, unknown>): void;
  reject(error: unknown): void;
}

class Run {
  readonly #plan: Plan;
  readonly #variables: Values;
  readonly #context: Context;
  readonly #outcome: Outcome;
  /** Arguments that come from variables: a field of many objects has the same for all of them. */
  readonly #args = new Map<PlannedField, Record<string, unknown>>();
  #data: Record<string, unknown> = {};
  /** Values that are waited for. */
  #awaited = 0;

  constructor(plan: Plan, variables: Values, context: Context, outcome: Outcome) {
    this.#plan = plan;
    this.#variables = variables;
    this.#context = context;
    this.#outcome = outcome;
  }

  start(): void {
    this.#data = this.#object(this.#plan.shape, undefined, undefined);
    if (this.#awaited === 0) this.#outcome.resolve(this.#data);
  }

  #object({ type, fields }: Shape & { kind: 'object' }, source: unknown, path: Path | undefined): Target {
    const target: Target = {};
    for (const field of fields) {
      const at: Path = { prev: path, key: field.key, typename: type.name };
      const value = field.resolve(source, this.#argsOf(field), this.#context, this.#infoOf(field, at));
      this.#put(target, field.key, value, field.shape, field, at);
    }
    return target;
  }

  /** Puts a value into its place: now, or when it is there. */
  #put(target: Target | unknown[], key: string | number, value: unknown, shape: Shape, field: PlannedField, at: Path) {
    const place = target as Target;
    if (!isPromise(value)) {
      place[key] = this.#complete(value, shape, field, at);
      return;
    }
    // The order of the answer is that of the selection.
    place[key] = null;
    this.#awaited++;
    value.then(
      (settled) => {
        try {
          place[key] = this.#complete(settled, shape, field, at);
          if (--this.#awaited === 0) this.#outcome.resolve(this.#data);
        } catch (error) {
          this.#outcome.reject(error);
        }
      },
      (error: unknown) => this.#outcome.reject(error),
    );
  }

  #complete(value: unknown, shape: Shape, field: PlannedField, at: Path): unknown {
    if (value === null || value === undefined) {
      if (shape.nullable) return null;
      throw new Error(`Cannot return null for non-nullable field ${nameOf(field)}.`);
    }
    if (shape.kind === 'leaf') {
      if (value instanceof Error) throw value;
      return shape.type.serialize(value);
    }
    if (value instanceof Error) throw value;
    return shape.kind === 'list' ? this.#list(value, shape, field, at) : this.#checked(value, shape, field, at);
  }

  #list(value: unknown, { item }: Shape & { kind: 'list' }, field: PlannedField, at: Path): unknown[] {
    if (!Array.isArray(value)) throw new Error(`Expected an array for field ${nameOf(field)}.`);
    const target: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      this.#put(target, index, value[index], item, field, { prev: at, key: index, typename: undefined });
    }
    return target;
  }

  #checked(value: unknown, shape: Shape & { kind: 'object' }, field: PlannedField, at: Path): Target {
    const is = shape.type.isTypeOf?.(value, this.#context, this.#infoOf(field, at)) ?? true;
    if (is !== true) throw new Error(`Expected value of type "${shape.type.name}" for field ${nameOf(field)}.`);
    return this.#object(shape, value, at);
  }

  #argsOf(field: PlannedField): Record<string, unknown> {
    const { args } = field;
    if (typeof args !== 'function') return args as Record<string, unknown>;
    let values = this.#args.get(field);
    if (values === undefined) {
      values = args(this.#variables);
      this.#args.set(field, values);
    }
    return values;
  }

  #infoOf({ name, nodes, returnType, parentType }: PlannedField, path: Path): GraphQLResolveInfo {
    const { schema, operation, fragments } = this.#plan;
    return {
      fieldName: name,
      fieldNodes: nodes,
      returnType,
      parentType,
      path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.#variables as Record<string, unknown>,
    };
  }
}

const nameOf = ({ parentType, name }: PlannedField): string => `${parentType.name}.${name}`;

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
