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

  it('finds none in texts, comments and members of other objects', () => {
    expect(found(`// fetch('/a')\n"browser.cookies.get()"; cache.fetch(key); store.cookies.get(); new Map();`)).toEqual(
      [],
    );
  });

  it('reads modules, and scripts that are none', () => {
    expect(found(`import { a } from './a.js';\nawait fetch(a);`)).toEqual(['fetch:2']);
    expect(found(`with (window) { fetch('/a'); }`)).toEqual(['fetch:1']);
  });

  it('reads nothing of a script that cannot be parsed, nests too deeply or takes too long', () => {
    expect(found('let = = 1; fetch()')).toBeNull();
    expect(found(`${'['.repeat(200_000)}`)).toBeNull();
    expect(findCalls('a.js', 'fetch()', 0)).toBe('too-slow');
  });
});
