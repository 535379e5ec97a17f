/* What the scripts of a version call, next to what its manifest declares, in the page about it. */
import { html } from 'hono/html';
import type { ReviewVersionQuery } from '../../generated/operations/graphql.ts';
import { fileOf } from '../catalogue/version-parts.ts';
import { lineUrl } from '../code/lines.ts';
import { revealInvisible } from '../components/file-name.ts';
import { type Html, joined } from '../html.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

type Version = NonNullable<NonNullable<ReviewVersionQuery['addon']>['version']>;
type Calls = NonNullable<NonNullable<Version['reviewFacts']>['calls']>;

/** Nothing for add-ons of other kinds. `again` leads to the page again, for the time until the package is read. */
export function codeCalls(ui: Ui, version: Version, addonType: string, again: Html): Html {
  const { packageState = null, calls = null } = version.reviewFacts ?? {};
  const file = fileOf(version);
  const { t } = ui;
  if (packageState === 'READING' || packageState === 'UNREADABLE')
    return html`<section aria-labelledby="calls"><h2 id="calls">${t('review.calls')}</h2>
${packageState === 'READING' ? html`<p>${t('review.reading')}</p><p>${again}</p>` : html`<p>${t('review.unreadable')}</p>`}
</section>`;
  if (calls === null || file === undefined || !file.isWebextension) return html``;
  if (calls.scriptCount === 0)
    return addonType === 'EXTENSION'
      ? html`<section class="stack" aria-labelledby="calls"><h2 id="calls">${t('review.calls')}</h2><p>${t('review.calls.no-scripts')}</p></section>`
      : html``;
  const { networkCallCount: network, privacyCallCount: privacy } = calls;
  const { undeclaredPermissions: undeclared, unusedPermissions: unused } = calls;
  const listOf = (count: number, shown: Calls['networkCalls'], title: Html) =>
    count === 0 ? html`<p>${title}</p>` : html`<h3>${title}</h3>${callList(ui, version.url, count, shown)}`;
  return html`<section class="stack" aria-labelledby="calls"><h2 id="calls">${t('review.calls')}</h2>
<p>${declaredData(ui, file.dataCollectionPermissions)}</p>
${listOf(network, calls.networkCalls, t(network === 0 ? 'review.calls.network-none' : 'review.calls.network', { count: network }))}
${listOf(privacy, calls.privacyCalls, t(privacy === 0 ? 'review.calls.privacy-none' : 'review.calls.privacy', { count: privacy }))}
${undeclared.length > 0 ? nameList(t('review.calls.undeclared', { count: undeclared.length }), undeclared) : html`<p>${t('review.calls.undeclared-none')}</p>`}
${unused.length > 0 && nameList(t('review.calls.unused', { count: unused.length }), unused)}
${calls.unreadFileCount > 0 && html`<p>${t('review.calls.unread', { count: calls.unreadFileCount })} ${codes(calls.unreadFiles)}</p>`}
<p class="muted small">${t('review.calls.what')}</p>
</section>`;
}

const NO_DATA = 'none';

function declaredData({ t }: Ui, declared: readonly string[]): Html {
  const kinds = declared.filter((kind) => kind !== NO_DATA);
  if (kinds.length > 0)
    return t('review.calls.data', {
      kinds: joined(kinds.map((kind) => kindName(t, kind))),
    });
  return t(declared.includes(NO_DATA) ? 'review.calls.data-none' : 'review.calls.data-unsaid');
}

function kindName(t: Ui['t'], kind: string): Html {
  const key = `data.${kind}`;
  return isTextKey(key) ? t(key) : html`<bdi dir="ltr"><code>${kind}</code></bdi>`;
}

/** Links to the lines of calls. */
const callList = (ui: Ui, url: string, count: number, shown: Calls['networkCalls']): Html =>
  html`<ul>${shown.map(
    ({ api, path, line }) =>
      html`<li><bdi dir="ltr"><code>${api}</code></bdi> <a href="${lineUrl(url, path, line)}"><bdi dir="ltr">${revealInvisible(path)}:${line}</bdi></a></li>
`,
  )}</ul>
${count > shown.length && html`<p>${ui.t('review.calls.more', { count: count - shown.length })}</p>`}`;

const nameList = (title: Html, names: readonly string[]): Html =>
  html`<h3>${title}</h3><ul>${names.map((name) => html`<li>${code(name)}</li>`)}</ul>`;

const code = (name: string): Html => html`<bdi dir="ltr"><code>${revealInvisible(name)}</code></bdi>`;
const codes = (names: readonly string[]): Html => joined(names.map(code));
