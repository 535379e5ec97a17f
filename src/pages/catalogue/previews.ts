import { html } from 'hono/html';
import type { AddonPageQuery } from '../../generated/operations/graphql.ts';
import { localText } from '../components/local-text.ts';
import { picture } from '../components/picture.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { previewPath } from './preview.ts';

type Shown = NonNullable<AddonPageQuery['addon']>;

/** The screenshots in a strip that scrolls, each a link to its page; of a persona, its header. */
export function previews(ui: Ui, addon: Shown): Html {
  const { previews: pictures, themeData } = addon;
  if (pictures.length > 0) return strip(ui, addon, pictures);
  const header = themeData?.headerUrl ?? themeData?.previewUrl ?? null;
  if (header === null) return html``;
  return picture(ui, {
    url: header,
    width: 680,
    height: 100,
    alt: ui.t('addon.theme-picture'),
    class: 'theme-picture',
  });
}

const strip = (
  ui: Ui,
  addon: Shown,
  pictures: Shown['previews'],
): Html => html`<section class="previews" id="previews" aria-label="${ui.t('addon.previews')}" tabindex="0"><ul>
${pictures.map(({ thumbnailUrl, thumbnailSize, caption }, index) => {
  const alt = caption?.value ? '' : ui.t('addon.preview', { number: index + 1 });
  const { width, height } = thumbnailSize;
  return html`<li><a href="${previewPath(addon, index + 1)}">${picture(ui, { url: thumbnailUrl, width, height, alt })}${caption?.value && html`<span>${localText(ui, caption)}</span>`}</a></li>
`;
})}</ul></section>`;
