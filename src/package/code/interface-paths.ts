/* Which interface of the browser an expression of a script is, also through variables that hold it. */
import type { AnyNode, Expression, Node, Pattern, PrivateIdentifier, Program, Super } from 'acorn';
import { base, type RecursiveVisitors, recursive, type WalkerCallback } from 'acorn-walk';

/** The names of an interface from the global object on, which is []; `chrome` is `browser`. */
export type InterfacePath = readonly string[];

/** An expression that calls, constructs or names an interface. */
export interface InterfaceUse {
  kind: 'call' | 'construct' | 'name';
  path: InterfacePath;
  node: Node;
}

type Value = AnyNode | Expression | Super | PrivateIdentifier;

/** A value of a variable: `members` of what `node` is in `scope`. */
interface Source {
  node: Value;
  members: readonly string[];
  scope: Scope;
}

/** A variable; `path` is undefined until it is resolved, and null while that is under way or if it holds no interface. */
interface Binding {
  sources: Source[];
  path?: InterfacePath | null;
}

class Scope {
  readonly #bindings = new Map<string, Binding>();
  readonly #parent: Scope | null;
  /** Where `var` declares. */
  readonly functionScope: Scope;

  constructor(parent: Scope | null, isFunction: boolean) {
    this.#parent = parent;
    this.functionScope = isFunction || parent === null ? this : parent.functionScope;
  }

  declare(name: string): Binding {
    const binding = this.#bindings.get(name) ?? { sources: [] };
    this.#bindings.set(name, binding);
    return binding;
  }

  find(name: string): Binding | null {
    return this.#bindings.get(name) ?? this.#parent?.find(name) ?? null;
  }
}

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(['window', 'self', 'globalThis']);
const ROOTS: ReadonlySet<string> = new Set([
  ...['browser', 'navigator', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
]);
/** Operators whose result can be the right value. */
const ASSIGNMENTS: ReadonlySet<string> = new Set(['=', '||=', '&&=', '??=']);
/** Methods of functions that call them or return them with arguments. */
const CALLERS: ReadonlySet<string> = new Set(['call', 'apply']);

/** A statement that has a scope of its own. */
const inScope =
  <Kind extends Node>(walk: ((node: Kind, scope: Scope, visit: WalkerCallback<Scope>) => void) | undefined) =>
  (node: Kind, scope: Scope, visit: WalkerCallback<Scope>) =>
    walk?.(node, new Scope(scope, false), visit);

/** What has a scope of its own, with the names that it declares. */
const SCOPES: RecursiveVisitors<Scope> = {
  BlockStatement: inScope(base.BlockStatement),
  ForStatement: inScope(base.ForStatement),
  ForInStatement: inScope(base.ForInStatement),
  ForOfStatement: inScope(base.ForOfStatement),
  SwitchStatement: inScope(base.SwitchStatement),
  StaticBlock: inScope(base.StaticBlock),
  Function: (node, scope, visit) => {
    const inner = new Scope(scope, true);
    if (node.id) (node.type === 'FunctionDeclaration' ? scope : inner).declare(node.id.name);
    for (const parameter of node.params) bind(parameter, null, (name) => inner.declare(name));
    base.Function?.(node, inner, visit);
  },
  CatchClause: (node, scope, visit) => {
    const inner = new Scope(scope, false);
    if (node.param) bind(node.param, null, (name) => inner.declare(name));
    base.CatchClause?.(node, inner, visit);
  },
};

/**
 * The uses of interfaces in a script. Variables that hold an interface are followed in their scope, also from destructured objects; parameters
 * and properties of other objects are not.
 */
export function interfaceUses(program: Program): InterfaceUse[] {
  const root = new Scope(null, true);
  const found: (Source & Pick<InterfaceUse, 'kind'> & { at: Node })[] = [];
  const assigned: { target: Pattern; source: Source }[] = [];
  const use = (kind: InterfaceUse['kind'], node: Value, at: Node, scope: Scope) =>
    found.push({ kind, node, members: [], scope, at });
  const named = (source: Source, at: Node) => found.push({ kind: 'name', ...source, at });

  recursive(program, root, {
    ...SCOPES,
    VariableDeclaration: (node, scope, visit) => {
      const target = node.kind === 'var' ? scope.functionScope : scope;
      for (const { id, init } of node.declarations)
        bind(id, init ? { node: init, members: [], scope } : null, (name) => target.declare(name), named);
      base.VariableDeclaration?.(node, scope, visit);
    },
    AssignmentExpression: (node, scope, visit) => {
      const source: Source = { node: node.right, members: [], scope };
      if (ASSIGNMENTS.has(node.operator)) assigned.push({ target: node.left, source });
      base.AssignmentExpression?.(node, scope, visit);
    },
    CallExpression: (node, scope, visit) => {
      use('call', calledFunction(node.callee), node, scope);
      base.CallExpression?.(node, scope, visit);
    },
    NewExpression: (node, scope, visit) => {
      use('construct', node.callee, node, scope);
      base.NewExpression?.(node, scope, visit);
    },
    MemberExpression: (node, scope, visit) => {
      use('name', node, node, scope);
      base.MemberExpression?.(node, scope, visit);
    },
  });
  for (const { target, source } of assigned)
    bind(target, source, (name) => source.scope.find(name) ?? root.declare(name), named);
  return found.flatMap(({ kind, at, ...source }) => {
    const path = pathOfSource(source);
    return path === null ? [] : [{ kind, path, node: at }];
  });
}

/** Gives the variables of a pattern their value; `named` gets the members that the pattern names. */
function bind(
  pattern: Pattern,
  source: Source | null,
  bindingOf: (name: string) => Binding,
  named: (source: Source, at: Node) => void = () => {},
): void {
  if (pattern.type === 'Identifier') {
    const { sources } = bindingOf(pattern.name);
    if (source !== null) sources.push(source);
  } else if (pattern.type === 'AssignmentPattern') {
    bind(pattern.left, source, bindingOf, named);
    if (source !== null) bind(pattern.left, { ...source, node: pattern.right, members: [] }, bindingOf, named);
  } else if (pattern.type === 'RestElement') {
    bind(pattern.argument, source, bindingOf, named);
  } else if (pattern.type === 'ArrayPattern') {
    for (const element of pattern.elements) if (element !== null) bind(element, null, bindingOf, named);
  } else if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') {
        bind(property, source, bindingOf, named);
        continue;
      }
      const name = propertyName(property.key, property.computed);
      const member = source === null || name === null ? null : { ...source, members: [...source.members, name] };
      if (member !== null) named(member, property);
      bind(property.value, member, bindingOf, named);
    }
  }
}

function pathOfSource({ node, members, scope }: Source): InterfacePath | null {
  let path = pathOf(node, scope);
  for (const name of members) path = path && memberOf(path, name);
  return path;
}

/** The interface that an expression is; null for other values. Of two values that it can have, the first that is one. */
function pathOf(node: Value, scope: Scope): InterfacePath | null {
  switch (node.type) {
    case 'Identifier': {
      const binding = scope.find(node.name);
      return (binding && pathOfBinding(binding)) ?? memberOf([], node.name);
    }
    case 'MemberExpression': {
      const name = propertyName(node.property, node.computed);
      const object = name === null ? null : pathOf(node.object, scope);
      return object === null || name === null ? null : memberOf(object, name);
    }
    case 'ChainExpression':
      return pathOf(node.expression, scope);
    case 'SequenceExpression':
      return pathOf(node.expressions.at(-1) as Expression, scope);
    case 'LogicalExpression':
      return pathOf(node.left, scope) ?? pathOf(node.right, scope);
    case 'ConditionalExpression':
      return pathOf(node.consequent, scope) ?? pathOf(node.alternate, scope);
    case 'AssignmentExpression':
      return ASSIGNMENTS.has(node.operator) ? pathOf(node.right, scope) : null;
    case 'CallExpression':
      return isMember(node.callee, 'bind') ? pathOf(node.callee.object, scope) : null;
    default:
      return null;
  }
}

function pathOfBinding(binding: Binding): InterfacePath | null {
  if (binding.path === undefined) {
    // A variable whose value is itself, or another that has its value, ends here.
    binding.path = null;
    for (const source of binding.sources) binding.path ??= pathOfSource(source);
  }
  return binding.path;
}

/** The member of an interface; null for members of the global object that are no interface. */
function memberOf(path: InterfacePath, name: string): InterfacePath | null {
  if (path.length > 0) return [...path, name];
  if (GLOBAL_OBJECTS.has(name)) return [];
  const root = name === 'chrome' ? 'browser' : name;
  return ROOTS.has(root) ? [root] : null;
}

/** `f` in `f.call(…)` and `f.apply(…)`; else the callee. */
const calledFunction = (callee: Expression | Super): Value =>
  callee.type === 'MemberExpression' && CALLERS.has(propertyName(callee.property, callee.computed) ?? '')
    ? callee.object
    : callee;

const isMember = (node: Value, name: string): node is Extract<AnyNode, { type: 'MemberExpression' }> =>
  node.type === 'MemberExpression' && propertyName(node.property, node.computed) === name;

/** The name of a property; null when it is computed from other values. */
function propertyName(key: Value, computed: boolean): string | null {
  if (!computed && key.type === 'Identifier') return key.name;
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? null;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null;
}
