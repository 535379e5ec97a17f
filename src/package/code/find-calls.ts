/* Finds calls of scripts that matter for what an add-on does with data. */
import { type Program, parse } from 'acorn';
import { readEntries } from '../zip/read-entries.ts';
import { fileType } from './file-type.ts';
import { type InterfacePath, type InterfaceUse, interfaceUses } from './interface-paths.ts';
import { type TooSlow, withinTime } from './within-time.ts';

/** What a call can do: send data to other computers, or read what people keep private. */
type CallKind = 'network' | 'privacy';

/** A call in a script of a package. */
export interface CodeCall {
  kind: CallKind;
  /** As it is documented, such as `fetch` or `browser.cookies`. */
  api: string;
  path: string;
  /** From 1, as ECMA-262 counts lines. */
  line: number;
}

/** The calls in the scripts of a package. */
export interface PackageCalls {
  /** The first ones, by path and line. */
  calls: CodeCall[];
  /** Numbers of all. */
  counts: Record<CallKind, number>;
  /** Permissions of the extension APIs that the scripts use. */
  used: string[];
  /** Permissions that only scripts use and none names. Empty when a script was not read. */
  unnamed: string[];
  /** Paths of the first scripts that could not be parsed, are too large, or were not reached in time. */
  unread: string[];
  /** Number of all of them. */
  unreadCount: number;
}

/** Calls of each kind, and unread scripts, that are kept. */
const MAX_CALLS = 20;
/** Time for one script and for those of a package. A busy machine takes longer by the clock. */
const FILE_MS = 2_000;
const PACKAGE_MS = { processor: 8_000, wall: 40_000 };
/** Scripts that were packed into one file are seldom larger than 4 MB. */
const READ_LIMITS = { fileBytes: 4 * 1024 * 1024, totalBytes: 32 * 1024 * 1024 };

const CONSTRUCTORS: ReadonlySet<string> = new Set(['XMLHttpRequest', 'WebSocket', 'EventSource']);

/** Namespaces of extension APIs that exist only with the permission of the same name. */
const GATED: ReadonlySet<string> = new Set(['cookies', 'history', 'bookmarks', 'webRequest', 'identity', 'downloads']);
/** Members of `management` that need no permission. */
const UNGATED_MANAGEMENT: ReadonlySet<string> = new Set([
  'getSelf',
  'uninstallSelf',
  'getPermissionWarningsByManifest',
]);
/** Permissions that do nothing for an add-on whose scripts do not name them, but for those of `GATED`. */
const SCRIPT_PERMISSIONS = [
  ...['alarms', 'browserSettings', 'browsingData', 'captivePortal', 'contextMenus', 'contextualIdentities', 'dns'],
  ...['geolocation', 'idle', 'management', 'notifications', 'pageCapture', 'pkcs11', 'privacy', 'proxy', 'scripting'],
  ...['sessions', 'storage', 'tabGroups', 'topSites', 'tts', 'webNavigation'],
] as const;
/** The names of each such permission in scripts, one of which is enough: of most, that of their interface. */
const PERMISSION_NAMES = new Map<string, readonly string[]>([
  ...[...GATED, ...SCRIPT_PERMISSIONS].sort().map((name): [string, string[]] => [name, [name]]),
  ['menus', ['menus', 'contextMenus']],
  ['nativeMessaging', ['connectNative', 'sendNativeMessage']],
]);

/**
 * Calls in the scripts at these paths of the package at `path`, and whether scripts are unread for lack of time.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function findPackageCalls(
  path: string,
  files: readonly string[],
): Promise<PackageCalls & { isCut: boolean }> {
  const timeLeft = clockOf(PACKAGE_MS);
  const scripts = files.filter((file) => fileType(file) === 'javascript');
  const contents = await readEntries(path, new Set(scripts), READ_LIMITS);
  const calls: Record<CallKind, CodeCall[]> = { network: [], privacy: [] };
  const counts: Record<CallKind, number> = { network: 0, privacy: 0 };
  const unread: string[] = [];
  let isCut = false;
  const used = new Set<string>();
  const named = new Set<string>();
  for (const file of scripts) {
    const text = contents.get(file)?.toString('utf8') ?? null;
    const script = text === null ? null : findCalls(file, text, Math.min(FILE_MS, timeLeft()));
    if (text === null || script === null || script === 'too-slow') {
      isCut ||= script === 'too-slow';
      unread.push(file);
      continue;
    }
    for (const call of script.calls) {
      counts[call.kind] += 1;
      if (calls[call.kind].length < MAX_CALLS) calls[call.kind].push(call);
    }
    for (const permission of script.used) used.add(permission);
    for (const [permission, names] of PERMISSION_NAMES) {
      if (names.some((name) => text.includes(name))) named.add(permission);
    }
  }
  return {
    calls: [...calls.network, ...calls.privacy],
    counts,
    used: [...used].sort(),
    unnamed: unread.length > 0 ? [] : [...PERMISSION_NAMES.keys()].filter((permission) => !named.has(permission)),
    unread: unread.slice(0, MAX_CALLS),
    unreadCount: unread.length,
    isCut,
  };
}

/** The milliseconds that are left until a limit is reached, of processor time or by the clock. */
function clockOf({ processor, wall }: { processor: number; wall: number }): () => number {
  const [start, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(processor - (user + system) / 1_000, wall - (performance.now() - start));
  };
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
