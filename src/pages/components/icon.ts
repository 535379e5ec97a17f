import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Lines of the icons on a grid of 24 by 24. */
const PATHS = {
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  error: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V13M12 16.2v.1',
  extension: 'M9.5 6V4.5a2 2 0 1 1 4 0V6H18v4.5h1.5a2 2 0 1 1 0 4H18V20H4.5v-5.5H6a2 2 0 1 0 0-4H4.5V6Z',
  external: 'M13.5 4.5h6v6M19 5l-8.5 8.5M17 14v5.5H4.5V7H10',
  file: 'M6.5 3.5H14l4.5 4.5v12.5h-12ZM14 3.5V8h4.5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  flag: 'M6 21V4h11.5l-2 4.5 2 4.5H6',
  globe: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM3.5 12h17M12 3.5c5.2 5 5.2 12 0 17M12 3.5c-5.2 5-5.2 12 0 17',
  info: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 11v5.5M12 7.8v.1',
  mail: 'M3.5 6h17v12.5h-17ZM3.5 7l8.5 6.5L20.5 7',
  next: 'm9.5 5.5 6.5 6.5-6.5 6.5',
  previous: 'm14.5 5.5-6.5 6.5 6.5 6.5',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM15.3 15.3 20 20',
  shield: 'M12 3.5 5 6v5.5c0 4.2 2.9 7.3 7 9 4.1-1.7 7-4.8 7-9V6ZM8.8 12l2.3 2.3 4.1-4.3',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8Z',
  upload: 'M12 16V4.5M7 9l5-5 5 5M4.5 20h15',
  users:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c0-3.3 2.9-5.5 6.5-5.5s6.5 2.2 6.5 5.5M16 4.9a3.5 3.5 0 0 1 0 6.2M18 14.6c2.1.8 3.5 2.6 3.5 4.9',
  warning: 'M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17.2v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Icons that point along the line of text. */
const DIRECTIONAL: readonly IconName[] = ['external', 'next', 'previous'];

/** A decorative picture next to a text: hidden from screen readers, as high as the text, mirrored where text runs from right to left. */
export function icon(ui: Ui, name: IconName): Html {
  const isMirrored = ui.direction === 'rtl' && DIRECTIONAL.includes(name);
  return html`<svg class="${isMirrored ? 'icon mirrored' : 'icon'}" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"/></svg>`;
}
