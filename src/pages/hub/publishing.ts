import { html } from 'hono/html';
import { config } from '../../config.ts';
import {
  HubAddPublisherDocument,
  HubPublishingDocument,
  type HubPublishingQuery,
  HubRemovePublisherDocument,
} from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { momentOrNever } from '../components/time.ts';
import { optionalText, textField } from '../fields.ts';
import { form } from '../form.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { authorName } from './author-invitations.ts';
import { addonContent, HUB_ADDON_PAGE, hasRight, hubAddon } from './hub-addon.ts';

type Addon = NonNullable<HubPublishingQuery['addon']>;

/** The jobs of continuous integration that may publish an add-on. Owners change them. */
export const publishingPage = page({
  path: '/developers/addon/:ref/publishing/',
  ...HUB_ADDON_PAGE,
  document: HubPublishingDocument,
  view: (data, _input, ui) => {
    const addon = hubAddon(data.addon, 'UPLOAD');
    return addonContent(ui, {
      addon,
      tab: 'publishing',
      body: (own) => html`<p>${own.t('hub.publishing.text')}</p>
${publisherTable(own, addon)}
${hasRight(addon, 'OWN') ? newPublisher(own, addon, data.publishingIssuers) : html`<p>${own.t('hub.publishing.owners')}</p>`}
<section class="stack"><h2>${own.t('hub.publishing.how')}</h2>
<p>${own.t('hub.publishing.how-text')}</p>
<pre dir="ltr" tabindex="0"><code>${commands(addon.guid)}</code></pre></section>`,
    });
  },
});

function publisherTable(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const publishers = addon.trustedPublishers ?? [];
  if (publishers.length === 0) return html`<p>${t('hub.publishing.none')}</p>`;
  const isOwner = hasRight(addon, 'OWN');
  return dataTable(ui, {
    id: 'publishers',
    caption: t('hub.publishing.caption'),
    columns: [
      'hub.publishing.subject',
      'hub.publishing.issuer',
      'hub.publishing.audience',
      'hub.publishing.by',
      'account.column.last-used',
      ...(isOwner ? ['account.column.action' as const] : []),
    ],
    rows: publishers.map(({ id, issuer, subject, audience, account, lastUsed }) => [
      code(subject),
      code(issuer),
      code(audience),
      authorName(account),
      momentOrNever(ui, lastUsed),
      ...(isOwner
        ? [
            buttonForm(ui, {
              name: 'hub-publisher-remove',
              hidden: { id },
              button: html`${t('ui.remove')}<span class="visually-hidden"> <bdi dir="ltr">${subject}</bdi></span>`,
            }),
          ]
        : []),
    ]),
  });
}

function newPublisher(ui: Ui, addon: Addon, issuers: readonly string[]): Html {
  const { t } = ui;
  if (issuers.length === 0) return html`<p>${t('hub.publishing.off')}</p>`;
  return html`<section class="stack"><h2>${t('hub.publishing.add')}</h2>
${formElement(ui, {
  name: 'hub-publisher-add',
  hidden: { addon: addon.id },
  parts: [
    {
      kind: 'select',
      name: 'issuer',
      label: t('hub.publishing.issuer'),
      isRequired: true,
      options: issuers.map((issuer) => ({ value: issuer, text: issuer })),
    },
    {
      kind: 'text',
      name: 'subject',
      label: t('hub.publishing.subject'),
      hint: t('hub.publishing.subject-hint'),
      isRequired: true,
      direction: 'ltr',
      maxLength: 500,
    },
    {
      kind: 'text',
      name: 'audience',
      label: t('hub.publishing.audience'),
      hint: t('hub.publishing.audience-hint', { address: config.BASE_URL }),
      direction: 'ltr',
      maxLength: 300,
    },
  ],
  submit: t('hub.publishing.add'),
})}</section>`;
}

const commands = (guid: string): string =>
  [
    `curl --fail-with-body -H 'Content-Type: application/json' "${config.BASE_URL}/api/v5/publishing/token/" \\`,
    `  -d '{"addon": "${guid}", "token": "'"$ID_TOKEN"'"}'`,
    '',
    `npx --yes web-ext@10 sign --channel unlisted --amo-base-url "${config.BASE_URL}/api/v5/" \\`,
    '  --api-key "$KEY" --api-secret "$SECRET"',
  ].join('\n');

export const addPublisherForm = form({
  page: publishingPage,
  name: 'hub-publisher-add',
  fields: { addon: textField, issuer: textField, subject: textField, audience: optionalText },
  document: HubAddPublisherDocument,
  variables: (input) => ({ input }),
});

export const removePublisherForm = form({
  page: publishingPage,
  name: 'hub-publisher-remove',
  fields: { id: textField },
  document: HubRemovePublisherDocument,
  variables: (input) => ({ input }),
});
