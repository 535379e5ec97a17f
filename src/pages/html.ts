import { html } from 'hono/html';

/** Markup in which all texts are escaped. */
export type Html = ReturnType<typeof html>;

/** A word of a program: a preference, a path, an identifier. */
export const code = (text: string): Html => html`<code><bdi dir="ltr">${text}</bdi></code>`;
