import { html } from 'hono/html';
import { PreviewPageDocument, type PreviewPageQuery } from '../../generated/operations/graphql.ts';
import { type Param, segmentParam, sentText } from '../../http/params.ts';
import { icon } from '../components/icon.ts';
import { type LocalText, localText } from '../components/local-text.ts';
import { picture } from '../components/picture.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonPath, type HeadAddon, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';

type ShownAddon = NonNullable<PreviewPageQuery['addon']>;

/** The number of a picture from 1; 0, which no picture has, for anything else. */
const placeInPath: Param<number> = {
  ...segmentParam('Number of the screenshot, from 1.'),
  read: sentText.transform((text) => (text !== null && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0)),
};

/** The path of a screenshot of an add-on. */
export const previewPath = (addon: Parameters<typeof addonPath>[0], place: number): string =>
  addonPath(addon, `previews/${place}/`);

interface Pictured extends Pick<HeadAddon, 'slug' | 'databaseId'> {
  previews: readonly {
    thumbnailUrl: string;
    thumbnailSize: { width: number; height: number };
    caption: LocalText | null;
  }[];
  themeData: { headerUrl: string | null; previewUrl: string | null } | null;
}

/** The screenshots in a strip that scrolls, each a link to its page; of a persona, its header. */
export function previewStrip(ui: Ui, addon: Pictured): Html {
  const { previews, themeData } = addon;
  if (previews.length > 0) return strip(ui, addon);
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
  addon: Pictured,
): Html => html`<section class="previews" id="previews" aria-label="${ui.t('addon.previews')}" tabindex="0"><ul>
${addon.previews.map(({ thumbnailUrl, thumbnailSize, caption }, index) => {
  const alt = caption?.value ? '' : ui.t('addon.preview', { number: index + 1 });
  const { width, height } = thumbnailSize;
  return html`<li><a href="${previewPath(addon, index + 1)}">${picture(ui, { url: thumbnailUrl, width, height, alt })}${caption?.value && html`<span>${localText(ui, caption)}</span>`}</a></li>
`;
})}</ul></section>`;

/** A screenshot in its full size, with its caption and the way to the others and back. */
export const previewPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/previews/:place/',
  params: { ...ADDON_PAGE.params, place: placeInPath },
  document: PreviewPageDocument,
  view: ({ addon }, input, ui) => {
    const { place } = input.path;
    const preview = addon?.previews[place - 1];
    if (addon === null || preview === undefined) return null;
    return (
      toCanonical(addon, input, `previews/${place}/`) ?? {
        title: ui.t('preview.title', { number: place, name: addonName(addon) }),
        description: preview.caption?.value ?? null,
        canonical: previewPath(addon, place),
        picture: preview.imageUrl,
        main: html`${addonHeader(ui, addon, { current: null, title: ui.t('addon.preview', { number: place }) })}
${viewer(ui, addon, place)}`,
      }
    );
  },
});

function viewer(ui: Ui, addon: ShownAddon, place: number): Html {
  const { t } = ui;
  const { previews } = addon;
  const shown = previews[place - 1] as ShownAddon['previews'][number];
  const caption = shown.caption?.value ? localText(ui, shown.caption) : t('addon.preview', { number: place });
  return html`<h1>${caption}</h1>
<nav class="pager" aria-label="${t('addon.previews')}"><ul>
${place > 1 && html`<li><a rel="prev" href="${previewPath(addon, place - 1)}">${icon(ui, 'previous')}${t('ui.pager.previous')}</a></li>`}
<li>${t('preview.place', { number: place, count: previews.length })}</li>
${place < previews.length && html`<li><a rel="next" href="${previewPath(addon, place + 1)}">${t('ui.pager.next')}${icon(ui, 'next')}</a></li>`}
<li><a href="${addonPath(addon)}#previews">${t('preview.close')}</a></li>
</ul></nav>
<a class="preview-picture" href="${shown.imageUrl}">${picture(ui, {
    ...{ url: shown.imageUrl, width: shown.imageSize.width, height: shown.imageSize.height, isEager: true },
    alt: t('preview.full', { number: place }),
  })}</a>`;
}
