import { html } from 'hono/html';
import type { AddonHeaderFieldsFragment } from '../../generated/operations/graphql.ts';
import { addonNameHtml } from '../catalogue/addon-head.ts';
import { addonHeader } from '../catalogue/addon-header.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { shortcuts } from '../components/shortcuts.ts';
import type { Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import type { Ui } from '../ui.ts';
import { type CommentedFile, reviewOf } from './line-comments.ts';

interface Head {
  addon: AddonHeaderFieldsFragment;
  /** The version that is shown, or compared with another one. */
  version: CommentedFile['version'];
  /** The last part of the way to the page. */
  title: Html;
  heading: Html;
}

/** The head of a page of code: for reviewers of the version a short one with the way back to its review, for others that of the add-on. */
export function codeHead(ui: Ui, { addon, version, title, heading }: Head): Pick<PageContent, 'section' | 'main'> {
  const { review } = ui.viewer?.opensQueue === true ? reviewOf(addon, version) : {};
  if (review === undefined) {
    return { main: html`${addonHeader(ui, addon, { current: 'versions', title })}<h1>${heading}</h1>` };
  }
  const name = addonNameHtml(ui, addon);
  const reviewed = html`${name} <bdi dir="ltr">${version.version}</bdi>`;
  return {
    section: 'reviewers',
    main: html`${breadcrumbs(ui, [
      { text: ui.t('review.title'), href: '/reviewers/' },
      { text: reviewed, href: review.href },
      { text: title },
    ])}
<div class="cluster"><h1>${name}: ${heading}</h1>
${shortcuts(ui, { review })}</div>`,
  };
}
