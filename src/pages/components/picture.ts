import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface Picture {
  url: string;
  /** In CSS pixels; the browser reserves the space before the picture arrives. */
  width: number;
  height: number;
  /** Empty for decoration. */
  alt: Html | string;
  /** Whether it is visible without scrolling. Others load when they are needed. */
  isEager?: boolean;
  class?: string;
}

/** A picture with its size. */
export function picture(_ui: Ui, { url, width, height, alt, isEager = false, class: name }: Picture): Html {
  return html`<img${name !== undefined && html` class="${name}"`} src="${url}" width="${width}" height="${height}" alt="${alt}"${
    !isEager && html` loading="lazy"`
  } decoding="async">`;
}
