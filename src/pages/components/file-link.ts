import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Where signed-in viewers download a file that is not public: the addresses of the API take no cookies. */
export const sessionFileUrl = ({ databaseId, name }: { databaseId: number; name: string }): string =>
  `/developers/file/${databaseId}/${encodeURIComponent(name)}`;

/** In place of a link to a file that an import described without its package. */
export const missingFile = (ui: Ui): Html => html`<p class="muted">${ui.t('addon.file.missing')}</p>`;
