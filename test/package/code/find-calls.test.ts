import { describe, expect, it } from 'vitest';
import { findCalls } from '../../../src/package/code/find-calls.ts';

/** The calls of a script, which is found in time. */
function callsIn(text: string) {
  const script = findCalls('a.js', text, 60_000);
  if (script === 'too-slow') throw new Error('It took too long.');
  return script;
}

const found = (text: string) => callsIn(text)?.calls.map(({ api, line }) => `${api}:${line}`) ?? null;

describe('findCalls', () => {
  it('finds calls that can send data, also of the global object', () => {
    const text = `fetch('/a');
      window.fetch('/b'); globalThis['fetch']('/c');
      const request = new XMLHttpRequest();
      new self.WebSocket('wss://x.example'); new EventSource('/e');
      navigator.sendBeacon?.('/f', data);`;
    expect(found(text)).toEqual([
      'fetch:1',
      'fetch:2',
      'fetch:2',
      'XMLHttpRequest:3',
      'WebSocket:4',
      'EventSource:4',
      'navigator.sendBeacon:5',
    ]);
  });

  it('finds uses of private data in both namespaces, each once', () => {
    const text = `browser.cookies.getAll({});
      chrome.tabs.query({}); chrome.tabs.create({});
      browser.management.getSelf(); browser.management.getAll();
      window.browser?.webRequest.onBeforeRequest.addListener(listener);
      navigator.geolocation.getCurrentPosition(show);`;
    expect(found(text)).toEqual([
      'browser.cookies:1',
      'browser.tabs.query:2',
      'browser.management:3',
      'browser.webRequest:4',
      'navigator.geolocation:5',
    ]);
    expect([...(callsIn(text)?.used ?? [])]).toEqual(['cookies', 'management', 'webRequest']);
  });

  it.each([
    [
      'a constant',
      'const b = chrome;\nb.tabs.query({}); b.cookies.get({});',
      ['browser.tabs.query:2', 'browser.cookies:2'],
    ],
    ['the first of two', 'const api = window.chrome ?? browser;\napi.history.search({});', ['browser.history:2']],
    [
      'a choice',
      `const api = typeof browser === 'undefined' ? chrome : browser;\napi.downloads.search({});`,
      ['browser.downloads:2'],
    ],
    [
      'a destructured object',
      'const {tabs, runtime} = browser;\ntabs.query({}); runtime.getURL("");',
      ['browser.tabs.query:2'],
    ],
    [
      'parts of parts with other names and defaults',
      'const {tabs: {query: q}, cookies: c = {}} = globalThis[`browser`];\nq({}); c.getAll({});',
      ['browser.tabs.query:1', 'browser.cookies:1'],
    ],
    [
      'the rest of an object',
      'const {tabs, ...others} = chrome;\nothers.identity.getAuthToken();',
      ['browser.identity:2'],
    ],
    [
      'an assignment before the declaration',
      'function start() { api = chrome; }\nlet api;\napi.bookmarks.getTree();',
      ['browser.bookmarks:3'],
    ],
    ['an assignment without a declaration', 'api = self.browser;\napi.bookmarks.getTree();', ['browser.bookmarks:2']],
    ['a destructuring assignment', 'let cookies;\n({ cookies } = browser);', ['browser.cookies:2']],
    [
      'a variable of another variable',
      'var w = window, n = w.navigator;\nn.sendBeacon("/"); w.w;',
      ['navigator.sendBeacon:2'],
    ],
    [
      'functions, also bound and called by methods',
      'const f = fetch.bind(window), X = XMLHttpRequest;\nf("/a"); (0, f)("/b"); fetch.call(null, "/c"); new X();',
      ['fetch:2', 'fetch:2', 'fetch:2', 'XMLHttpRequest:2'],
    ],
    ['itself', 'var browser = browser || chrome;\nbrowser.cookies.getAll({});', ['browser.cookies:2']],
    [
      'a global with a name of its own',
      `import browser from './polyfill.js';\nbrowser.cookies.getAll({});`,
      ['browser.cookies:2'],
    ],
  ])('follows variables: %s', (_title, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['a parameter', 'const b = chrome; function f(b) { b.cookies.get(); }'],
    ['a variable of a function', 'const b = chrome; () => { var b = store; { b.cookies.get(); } };'],
    ['a variable of a block', 'const b = chrome; { let b = store; b.cookies.get(); } for (const b of x) b.cookies;'],
    ['what is caught', 'const b = chrome; try {} catch ({ b }) { b.cookies.get(); }'],
    ['a variable of another function', 'function f() { const b = chrome; } b.cookies.get();'],
    [
      'other values',
      'let a = b, b = a; const c = make(chrome), [d] = chrome; a.cookies; c.cookies; d.cookies; a += chrome;',
    ],
  ])('does not take %s of the same name for the interface', (_title, text) => {
    expect(found(text)).toEqual([]);
  });

  it('finds none in texts, comments and members of other objects', () => {
    expect(found(`// fetch('/a')\n"browser.cookies.get()"; cache.fetch(key); store.cookies.get(); new Map();`)).toEqual(
      [],
    );
  });

  it('reads modules, and scripts that are none', () => {
    expect(found(`import { a } from './a.js';\nawait fetch(a);`)).toEqual(['fetch:2']);
    expect(found(`with (window) { fetch('/a'); }`)).toEqual(['fetch:1']);
  });

  it('follows many variables in time', () => {
    const chain = Array.from({ length: 500 }, (_, i) => `let v${i} = v${i + 1} || v${(i * 7) % 500};`);
    const many = Array.from({ length: 20_000 }, () => 'x = x ?? y; y = x.a || y;');
    const start = performance.now();
    expect(found(`${chain.reverse().join('\n')}\nvar v500 = chrome;\nv0.cookies.get();`)).toEqual([
      'browser.cookies:502',
    ]);
    expect(found(`let x, y;\n${many.join('')}\nfetch(x)`)).toEqual(['fetch:3']);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('reads nothing of a script that cannot be parsed, nests too deeply or takes too long', () => {
    expect(found('let = = 1; fetch()')).toBeNull();
    expect(found(`${'['.repeat(200_000)}`)).toBeNull();
    expect(findCalls('a.js', 'fetch()', 0)).toBe('too-slow');
  });
});
