/* Scripts of the demo's extensions, one for each tool. Each uses the permissions of its tool, and no others. */
import type { PackageFiles } from '../../src/demo/packages.ts';
import type { Tool } from './phrases/phrase-book.ts';

const SHOW = [
  'function show(lines) {',
  "  const list = document.getElementById('list');",
  '  list.replaceChildren(',
  '    ...lines.map((line) => {',
  "      const item = document.createElement('li');",
  '      item.textContent = line;',
  '      return item;',
  '    }),',
  '  );',
  '}',
];

/** The script of the panel behind the button. */
const PANEL: Readonly<Record<Tool, readonly string[]>> = {
  sorter: [
    'browser.tabs.query({ currentWindow: true }).then((tabs) => {',
    '  show(tabs.map(({ title }) => title).sort((one, other) => one.localeCompare(other)));',
    '});',
  ],
  finder: [
    "document.getElementById('input').addEventListener('input', async ({ target }) => {",
    '  const tabs = await browser.tabs.query({});',
    '  show(tabs.map(({ title }) => title).filter((title) => title.includes(target.value)));',
    '});',
  ],
  keeper: [
    'browser.storage.local.get({ kept: [] }).then(({ kept }) => show(kept));',
    "document.getElementById('input').addEventListener('change', async ({ target }) => {",
    '  const { kept } = await browser.storage.local.get({ kept: [] });',
    '  await browser.storage.local.set({ kept: [...kept, target.value] });',
    '  show([...kept, target.value]);',
    '});',
  ],
  guard: ['browser.storage.local.get({ refused: 0 }).then(({ refused }) => show([String(refused)]));'],
  cleaner: [
    "document.getElementById('button').addEventListener('click', async () => {",
    '  await browser.browsingData.removeCache({});',
    '  await browser.storage.local.set({ cleaned: new Date().toISOString() });',
    '});',
    "browser.storage.local.get({ cleaned: '' }).then(({ cleaned }) => show([cleaned]));",
  ],
  counter: [
    'browser.storage.local.get({ count: 0 }).then(async ({ count }) => {',
    '  await browser.storage.local.set({ count: count + 1 });',
    '  show([String(count + 1)]);',
    '});',
  ],
  courier: [
    "document.getElementById('input').addEventListener('change', async ({ target }) => {",
    '  await browser.storage.local.set({ message: target.value });',
    "  await browser.notifications.create({ type: 'basic', title: document.title, message: target.value });",
    '});',
  ],
  keys: [
    'browser.tabs.query({ currentWindow: true }).then((tabs) => {',
    '  show(tabs.map(({ title }, index) => String(index + 1).concat(". ", title)));',
    '});',
    "document.addEventListener('keydown', async ({ key }) => {",
    '  const [tab] = await browser.tabs.query({ currentWindow: true, index: Number(key) - 1 });',
    '  if (tab) await browser.tabs.update(tab.id, { active: true });',
    '});',
  ],
  diary: [
    "browser.history.search({ text: '', maxResults: 20 }).then((pages) => show(pages.map(({ title }) => title)));",
  ],
  printer: ["document.getElementById('button').addEventListener('click', () => browser.tabs.print());"],
};

/** The script that runs while the browser does, for tools that need one. */
const BACKGROUND: Partial<Record<Tool, readonly string[]>> = {
  guard: [
    'browser.webRequest.onBeforeRequest.addListener(',
    '  () => {',
    '    browser.storage.local',
    '      .get({ refused: 0 })',
    '      .then(({ refused }) => browser.storage.local.set({ refused: refused + 1 }));',
    '    return { cancel: true };',
    '  },',
    "  { urls: ['https://tracker.example.org/*'] },",
    "  ['blocking'],",
    ');',
  ],
};

/** Manifest keys and files of an extension. `heading` is the first line of each script. */
export function extensionFiles(tool: Tool, heading: string): { keys: object; files: PackageFiles } {
  const background = BACKGROUND[tool];
  const script = (lines: readonly string[]): string => [`// ${heading}`, ...lines, ''].join('\n');
  return {
    keys: {
      browser_action: { default_title: heading, default_icon: 'icon.png', default_popup: 'panel.html' },
      ...(background ? { background: { scripts: ['background.js'] } } : {}),
    },
    files: {
      'panel.html': [
        '<!doctype html>',
        '<meta charset="utf-8">',
        '<input id="input"> <button id="button">OK</button>',
        '<ul id="list"></ul>',
        '<script src="panel.js"></script>',
        '',
      ].join('\n'),
      'panel.js': script([...SHOW, '', ...PANEL[tool]]),
      ...(background ? { 'background.js': script(background) } : {}),
    },
  };
}
