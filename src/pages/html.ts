import type { html } from 'hono/html';

/** Markup in which all texts are escaped. */
export type Html = ReturnType<typeof html>;
