/* What is known of the calls in scripts without parsing them. It imports no parser: the web process uses it. */
import type { PackageFile } from './file-changes.ts';
import { fileType } from './file-type.ts';

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

/** The calls in some scripts of a package. */
export interface ScriptCalls {
  /** The first ones of each kind. */
  calls: Record<CallKind, CodeCall[]>;
  counts: Record<CallKind, number>;
  /** Permissions of the extension APIs that the scripts use, and those that they name. */
  used: Set<string>;
  named: Set<string>;
  unread: string[];
  /** Whether scripts are unread for lack of time. */
  isCut: boolean;
  processorMs: number;
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
export const MAX_CALLS = 20;
/** Scripts that were packed into one file are seldom larger than 4 MB. A larger one is unread. */
export const SCRIPT_BYTES = 4 * 1024 * 1024;
/** Scripts of this size take a process some tenths of a second, for which other requests wait. A larger one is a portion of its own. */
const PORTION_BYTES = 1024 * 1024;

/** Namespaces of extension APIs that exist only with the permission of the same name. */
export const GATED: ReadonlySet<string> = new Set([
  'cookies',
  'history',
  'bookmarks',
  'webRequest',
  'identity',
  'downloads',
]);
/** Permissions that do nothing for an add-on whose scripts do not name them, but for those of `GATED`. */
const SCRIPT_PERMISSIONS = [
  ...['alarms', 'browserSettings', 'browsingData', 'captivePortal', 'contextMenus', 'contextualIdentities', 'dns'],
  ...['geolocation', 'idle', 'management', 'notifications', 'pageCapture', 'pkcs11', 'privacy', 'proxy', 'scripting'],
  ...['sessions', 'storage', 'tabGroups', 'topSites', 'tts', 'webNavigation'],
] as const;
/** The names of each such permission in scripts, one of which is enough: of most, that of their interface. */
export const PERMISSION_NAMES = new Map<string, readonly string[]>([
  ...[...GATED, ...SCRIPT_PERMISSIONS].sort().map((name): [string, string[]] => [name, [name]]),
  ['menus', ['menus', 'contextMenus']],
  ['nativeMessaging', ['connectNative', 'sendNativeMessage']],
]);

/** The paths of the scripts among these files, without known libraries, in portions that do not take long. */
export function scriptPortions(files: readonly PackageFile[]): string[][] {
  const portions: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { path, size, library } of files) {
    if (library !== null || fileType(path) !== 'javascript') continue;
    bytes += size;
    if (bytes > PORTION_BYTES) {
      portions.push([]);
      bytes = size;
    }
    portions.at(-1)?.push(path);
  }
  return portions;
}

/** The calls in no scripts. */
export const noCalls = (): ScriptCalls => ({
  calls: { network: [], privacy: [] },
  counts: { network: 0, privacy: 0 },
  used: new Set(),
  named: new Set(),
  unread: [],
  isCut: false,
  processorMs: 0,
});

/** Adds the calls in a portion of the scripts to those in the ones before it. */
export function addPortion(all: ScriptCalls, portion: ScriptCalls): void {
  for (const kind of ['network', 'privacy'] as const) {
    all.calls[kind].push(...portion.calls[kind].slice(0, MAX_CALLS - all.calls[kind].length));
    all.counts[kind] += portion.counts[kind];
  }
  for (const permission of portion.used) all.used.add(permission);
  for (const permission of portion.named) all.named.add(permission);
  all.unread.push(...portion.unread);
  all.isCut ||= portion.isCut;
  all.processorMs += portion.processorMs;
}

/** The calls in the scripts of a package, from those in all its portions. */
export const callsOfPackage = ({ calls, counts, used, named, unread }: ScriptCalls): PackageCalls => ({
  calls: [...calls.network, ...calls.privacy],
  counts,
  used: [...used].sort(),
  unnamed: unread.length > 0 ? [] : [...PERMISSION_NAMES.keys()].filter((permission) => !named.has(permission)),
  unread: unread.slice(0, MAX_CALLS),
  unreadCount: unread.length,
});
