/* Finds calls of scripts that matter for what an add-on does with data. */
import { type Program, parse } from 'acorn';
import { readEntries } from '../zip/read-entries.ts';
import { type InterfacePath, type InterfaceUse, interfaceUses } from './interface-paths.ts';
import {
  type CodeCall,
  GATED,
  MAX_CALLS,
  noCalls,
  PERMISSION_NAMES,
  SCRIPT_BYTES,
  type ScriptCalls,
} from './script-calls.ts';
import { type TooSlow, withinTime } from './within-time.ts';

/** Time for one script, and for those of a portion. A busy machine takes longer by the clock. */
const FILE_MS = 2_000;
const PORTION_MS = 40_000;

const CONSTRUCTORS: ReadonlySet<string> = new Set(['XMLHttpRequest', 'WebSocket', 'EventSource']);

/** Members of `management` that need no permission. */
const UNGATED_MANAGEMENT: ReadonlySet<string> = new Set([
  'getSelf',
  'uninstallSelf',
  'getPermissionWarningsByManifest',
]);
/**
 * Calls in the scripts at these paths of the package at `path`, which take at most `processorMs` of processor time.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function findScriptCalls(
  path: string,
  scripts: readonly string[],
  processorMs: number,
): Promise<ScriptCalls> {
  const { timeLeft, processorTime } = clockOf(processorMs);
  const contents = await readEntries(path, new Set(scripts), {
    fileBytes: SCRIPT_BYTES,
    totalBytes: Number.POSITIVE_INFINITY,
  });
  const found = noCalls();
  for (const file of scripts) {
    const text = contents.get(file)?.toString('utf8') ?? null;
    const script = text === null ? null : findCalls(file, text, Math.min(FILE_MS, timeLeft()));
    if (text === null || script === null || script === 'too-slow') {
      found.isCut ||= script === 'too-slow';
      found.unread.push(file);
      continue;
    }
    for (const call of script.calls) {
      if (found.calls[call.kind].length < MAX_CALLS) found.calls[call.kind].push(call);
      found.counts[call.kind] += 1;
    }
    for (const permission of script.used) found.used.add(permission);
    for (const [permission, names] of PERMISSION_NAMES) {
      if (names.some((name) => text.includes(name))) found.named.add(permission);
    }
  }
  return { ...found, processorMs: processorTime() };
}

/** The processor time since now, in milliseconds, and how much is left until a limit is reached, of it or by the clock. */
function clockOf(processorMs: number): { processorTime: () => number; timeLeft: () => number } {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const processorTime = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const timeLeft = () => Math.min(processorMs - processorTime(), PORTION_MS - (performance.now() - start));
  return { processorTime, timeLeft };
}

/** The calls in a script, by line; null for one that cannot be parsed, `too-slow` when it takes longer than `timeoutMs`. */
export function findCalls(
  path: string,
  text: string,
  timeoutMs: number,
): { calls: CodeCall[]; used: ReadonlySet<string> } | TooSlow | null {
  if (timeoutMs <= 0) return 'too-slow';
  return withinTime(Math.ceil(timeoutMs), () => {
    const calls: CodeCall[] = [];
    const used = new Set<string>();
    for (const use of interfaceUses(parsed(text))) {
      const api = networkApi(use) ?? privateApi(use);
      if (api === null) continue;
      const kind = use.kind === 'name' ? 'privacy' : 'network';
      calls.push({ kind, api, path, line: use.node.loc?.start.line ?? 1 });
      const permission = gatedNamespace(api);
      if (permission !== null) used.add(permission);
    }
    return { calls: calls.sort((one, other) => one.line - other.line), used };
  });
}

/** As a module, or else as a script, whose syntax differs. @throws {SyntaxError}. */
function parsed(text: string): Program {
  const options = { ecmaVersion: 'latest', locations: true, allowHashBang: true } as const;
  try {
    return parse(text, { ...options, sourceType: 'module' });
  } catch {
    return parse(text, { ...options, sourceType: 'script', allowReturnOutsideFunction: true });
  }
}

function networkApi({ kind, path }: InterfaceUse): string | null {
  const name = path.join('.');
  if (kind === 'call') return name === 'fetch' || name === 'navigator.sendBeacon' ? name : null;
  return kind === 'construct' && CONSTRUCTORS.has(name) ? name : null;
}

const privateApi = ({ kind, path }: InterfaceUse): string | null => (kind === 'name' ? namespaceOf(path) : null);

/** The API that is named as a whole: `browser.cookies` in `browser.cookies.getAll`. */
function namespaceOf([root = '', namespace = '', member, ...more]: InterfacePath): string | null {
  if (root === 'navigator') return namespace === 'geolocation' && member === undefined ? 'navigator.geolocation' : null;
  if (root !== 'browser' || more.length > 0) return null;
  if (GATED.has(namespace)) return member === undefined ? `browser.${namespace}` : null;
  if (namespace === 'tabs') return member === 'query' ? 'browser.tabs.query' : null;
  const isGated = namespace === 'management' && member !== undefined && !UNGATED_MANAGEMENT.has(member);
  return isGated ? 'browser.management' : null;
}

/** The permission without which the namespace of an extension API does not exist. */
function gatedNamespace(api: string): string | null {
  const permission = api.startsWith('browser.') ? api.slice('browser.'.length) : '';
  return GATED.has(permission) || permission === 'management' ? permission : null;
}
