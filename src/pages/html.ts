import { setImmediate as nextTurn } from 'node:timers/promises';
import { html, raw } from 'hono/html';

/** Markup in which all texts are escaped. */
export type Html = ReturnType<typeof html>;

/** A word of a program: a preference, a path, an identifier. */
export const code = (text: string): Html => html`<code><bdi dir="ltr">${text}</bdi></code>`;

/** Parts one after another, with a text between them. */
export const joined = (parts: readonly (Html | string)[], separator = ', '): Html =>
  html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`;

/** How long a turn renders, in milliseconds, before requests that wait get theirs. */
const TURN_MS = 2;

/** What `render` makes of each item, in as many further turns of the event loop as that takes: for long lists. */
export async function inTurns<Item>(items: readonly Item[], render: (item: Item) => Html): Promise<Awaited<Html>> {
  const turns: string[] = [];
  for (let at = 0; at < items.length; ) {
    await nextTurn();
    const begun = performance.now();
    const parts: string[] = [];
    do {
      parts.push(String(await render(items[at] as Item)));
      at += 1;
    } while (at < items.length && performance.now() - begun < TURN_MS);
    // Strings of many small parts would be copied at the end, all in one turn.
    turns.push(parts.join(''));
  }
  return raw(turns.join(''));
}
