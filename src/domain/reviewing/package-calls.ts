import { builder } from '../../graphql/builder.ts';
import type { PackageFile } from '../../package/code/file-changes.ts';
import { type CodeCall, type PackageCalls, scriptPortions } from '../../package/code/script-calls.ts';

/** Calls of a package next to what its manifest declares. */
interface ComparedCalls extends PackageCalls {
  /** Number of scripts, without known libraries. */
  scriptCount: number;
  undeclared: string[];
  unused: string[];
}

/** The calls of a package, compared with the permissions of its manifest. */
export const compareCalls = (
  found: PackageCalls,
  files: readonly PackageFile[],
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
): ComparedCalls => ({
  ...found,
  scriptCount: scriptPortions(files).flat().length,
  undeclared: found.used.filter((name) => !required.includes(name) && !optional.includes(name)),
  unused: found.unnamed.filter((name) => required.includes(name)),
});

const CodeCallType = builder.objectRef<CodeCall>('CodeCall').implement({
  description: 'A call of an interface in a script of a package.',
  fields: (t) => ({
    api: t.exposeString('api', { description: 'The interface, such as fetch or browser.cookies.' }),
    path: t.exposeString('path', { description: 'Path of the script in the package.' }),
    line: t.exposeInt('line', { description: 'Number of the line, from 1.' }),
  }),
});

const SHOWN = 20;

export const PackageCallsType = builder.objectRef<ComparedCalls>('PackageCalls').implement({
  description:
    'What the scripts of a package call, by their syntax, next to its declared permissions. Variables that hold an interface are followed. Unchanged files of known libraries do not count. Interfaces that are passed to functions or kept in objects, computed names, and code that is made while it runs are not found.',
  fields: (t) => ({
    scriptCount: t.exposeInt('scriptCount', {
      description: 'Number of scripts in the package, without unchanged files of known libraries.',
    }),
    networkCallCount: t.int({
      description: 'Number of calls that can send data.',
      resolve: ({ counts }) => counts.network,
    }),
    networkCalls: t.field({
      type: [CodeCallType],
      description: `The first ${SHOWN} of them: fetch, XMLHttpRequest, WebSocket, EventSource and navigator.sendBeacon.`,
      extensions: { items: SHOWN },
      resolve: ({ calls }) => calls.filter(({ kind }) => kind === 'network'),
    }),
    privacyCallCount: t.int({
      description: 'Number of uses of interfaces that read what people keep private.',
      resolve: ({ counts }) => counts.privacy,
    }),
    privacyCalls: t.field({
      type: [CodeCallType],
      description: `The first ${SHOWN} of them: browser.cookies, history, bookmarks, tabs.query, webRequest, identity, downloads and management, also of chrome, and navigator.geolocation.`,
      extensions: { items: SHOWN },
      resolve: ({ calls }) => calls.filter(({ kind }) => kind === 'privacy'),
    }),
    undeclaredPermissions: t.exposeStringList('undeclared', {
      description: 'Permissions whose interfaces are used, although the manifest does not declare them.',
    }),
    unusedPermissions: t.exposeStringList('unused', {
      description:
        'Required permissions that only scripts use, such as alarms, and none names; empty when a script was not read. Others, such as activeTab, are never among them.',
    }),
    unreadFiles: t.exposeStringList('unread', {
      description: `At most ${SHOWN} scripts that could not be parsed, have more than 4 MB, or would have taken too long.`,
    }),
    unreadFileCount: t.exposeInt('unreadCount', { description: 'Number of all such scripts.' }),
  }),
});
