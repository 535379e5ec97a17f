import { setImmediate as nextTurn } from 'node:timers/promises';
import { html } from 'hono/html';

/** Markup in which all texts are escaped. */
export type Html = ReturnType<typeof html>;

/** A word of a program: a preference, a path, an identifier. */
export const code = (text: string): Html => html`<code><bdi dir="ltr">${text}</bdi></code>`;

/** How long a turn renders, in milliseconds, before requests that wait get theirs. */
const TURN_MS = 3;

/** What `render` makes of each item, in as many turns of the event loop as that takes: for long lists. */
export async function inTurns<Item>(items: readonly Item[], render: (item: Item) => Html): Promise<Awaited<Html>> {
  const parts: Html[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > TURN_MS) {
      await nextTurn();
      begun = performance.now();
    }
    parts.push(await render(item));
  }
  return html`${parts}`;
}
