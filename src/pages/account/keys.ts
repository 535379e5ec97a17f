import { html } from 'hono/html';
import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  KeysPageDocument,
  type KeysPageQuery,
  MakeKeyDocument,
  type MakeKeyMutation,
  RevokeKeyDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { recordId } from '../../http/params.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { day, moment, momentOrNever } from '../components/time.ts';
import { checkbox, choice, optionalText } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { code, type Html } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { type PageContent, page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { accountPage } from './account-page.ts';
import { agreementText } from './parts.ts';

const KEYS = '/account/keys/';

/** What happens when a key is revoked. For a key that is no longer valid, the list of keys. */
export const revokeKeyPage = page({
  path: '/account/keys/:id/revoke/',
  visitor: 'account',
  needsRecentSignIn: true,
  params: { id: recordId('The id of the key.') },
  document: KeysPageDocument,
  view: ({ viewer }, { path }, ui) => {
    const apiKey = viewer?.private?.apiKeys.find(({ databaseId }) => databaseId === path.id);
    if (apiKey === undefined) return null;
    if (!isValidKey(apiKey)) return redirect(KEYS, 303);
    const { t } = ui;
    const { key, lastUsed } = apiKey;
    const main = confirmForm(ui, {
      name: 'revoke-key',
      consequences: [
        t('account.revoke.fails', { key: code(key) }),
        lastUsed === null ? t('account.revoke.unused') : t('account.revoke.last-used', { time: moment(ui, lastUsed) }),
        t('account.revoke.final'),
      ],
      keeps: [t('account.revoke.keeps')],
      submit: t('account.revoke.button'),
      cancelHref: KEYS,
    });
    return accountPage(ui, 'keys', main, { key: 'account.revoke.title', name: keyName(apiKey) });
  },
});

export const revokeKeyForm = form({
  page: revokeKeyPage,
  name: 'revoke-key',
  fields: {},
  document: RevokeKeyDocument,
  variables: (_values, { path }) => {
    if (path.id === 0) throw new NotFoundError();
    return { input: { id: globalId('ApiKey', Number(path.id)) } };
  },
  done: () => doneAt(KEYS, 'revoke-key'),
});

const DAY_MS = 86_400_000;
/** Days until a key expires; empty for never. */
const LIFETIMES = ['30', '90', '365', ''] as const;
const DEFAULT_LIFETIME = '90';
const MAX_LABEL = 100;

type Private = NonNullable<NonNullable<KeysPageQuery['viewer']>['private']>;
type ShownApiKey = Private['apiKeys'][number];

/** Whether programs can sign in with a key. */
const isValidKey = ({ revoked, expires }: ShownApiKey): boolean =>
  revoked === null && (expires === null || Date.parse(expires) > Date.now());

/** The name that its owner gave to a key, else the key. */
const keyName = ({ label, key }: Pick<ShownApiKey, 'label' | 'key'>): string => label || key;

/** The API keys of the account. */
export const keysPage = page({
  path: '/account/keys/',
  visitor: 'account',
  needsRecentSignIn: true,
  document: KeysPageDocument,
  view: ({ viewer }, _input, ui) => {
    if (!viewer?.private) return null;
    const { apiKeys, developerAgreementAccepted } = viewer.private;
    const { t } = ui;
    const ended = apiKeys.filter((each) => !isValidKey(each));
    return accountPage(
      ui,
      'keys',
      html`<p>${t('account.keys.why')}</p>
${validKeys(ui, apiKeys.filter(isValidKey))}
<section class="stack"><h2>${t('account.keys.new')}</h2>
${newKeyFields(ui, viewer.addons.nodes, developerAgreementAccepted !== null)}</section>
${
  ended.length === 0
    ? ''
    : html`<details><summary>${t('account.keys.ended', { count: ended.length })}</summary>
${endedKeys(ui, ended)}</details>`
}`,
    );
  },
});

function validKeys(ui: Ui, keys: readonly ShownApiKey[]): Html {
  const { t } = ui;
  if (keys.length === 0) return html`<p>${t('account.keys.none')}</p>`;
  return dataTable(ui, {
    id: 'keys',
    caption: t('account.keys.title'),
    isCaptionHidden: true,
    columns: [
      'account.column.label',
      'account.column.action',
      'account.column.use',
      'account.column.key',
      'account.column.created',
      'account.column.expires',
      'account.column.last-used',
    ],
    rows: keys.map((each) => [
      each.label === '' ? t('account.keys.unnamed') : html`<bdi>${each.label}</bdi>`,
      html`<a href="/account/keys/${each.databaseId}/revoke/">${t('account.keys.revoke')}<span class="visually-hidden"> <bdi>${keyName(each)}</bdi></span></a>`,
      each.addon === null ? t('account.keys.everything') : t('account.keys.uploads', { name: hubName(ui, each.addon) }),
      code(each.key),
      day(ui, each.created),
      each.expires === null ? t('account.keys.never') : day(ui, each.expires),
      momentOrNever(ui, each.lastUsed),
    ]),
  });
}

function endedKeys(ui: Ui, keys: readonly ShownApiKey[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'ended-keys',
    caption: t('account.keys.ended-caption'),
    isCaptionHidden: true,
    columns: [
      'account.column.label',
      'account.column.key',
      'account.column.created',
      'account.column.ended',
      'account.column.last-used',
    ],
    rows: keys.map((each) => [
      each.label === '' ? t('account.keys.unnamed') : html`<bdi>${each.label}</bdi>`,
      code(each.key),
      day(ui, each.created),
      each.revoked === null
        ? t('account.keys.expired-on', { date: day(ui, each.expires ?? each.created) })
        : t('account.keys.revoked-on', { date: day(ui, each.revoked) }),
      momentOrNever(ui, each.lastUsed),
    ]),
  });
}

function newKeyFields(
  ui: Ui,
  addons: NonNullable<KeysPageQuery['viewer']>['addons']['nodes'],
  hasAgreed: boolean,
): Html {
  const { t } = ui;
  const agreement: FormPart = {
    kind: 'checkbox',
    name: 'acceptDeveloperAgreement',
    label: t('account.agreement.check'),
    hint: agreementText(ui),
    isRequired: true,
  };
  return formElement(ui, {
    name: 'new-key',
    submit: t('account.keys.create'),
    parts: [
      {
        kind: 'text',
        name: 'label',
        label: t('account.column.label'),
        hint: t('account.keys.label-hint'),
        maxLength: MAX_LABEL,
      },
      {
        kind: 'select',
        name: 'addon',
        label: t('account.keys.use'),
        hint: t('account.keys.use-hint'),
        options: [
          { value: '', text: t('account.keys.everything') },
          ...addons.map((addon) => ({
            value: addon.id,
            text: t('account.keys.uploads', { name: hubName(ui, addon) }),
          })),
        ],
      },
      {
        kind: 'select',
        name: 'days',
        label: t('account.keys.lifetime'),
        isRequired: true,
        value: DEFAULT_LIFETIME,
        options: LIFETIMES.map((value) => ({
          value,
          text: value === '' ? t('account.keys.never') : t('ui.days', { count: Number(value) }),
        })),
      },
      ...(hasAgreed ? [] : [agreement]),
    ],
  });
}

export const newKeyForm = form({
  page: keysPage,
  name: 'new-key',
  limit: 'page-key',
  fields: { label: optionalText, addon: optionalText, days: choice(...LIFETIMES), acceptDeveloperAgreement: checkbox },
  document: MakeKeyDocument,
  variables: ({ label, addon, days, acceptDeveloperAgreement }) => ({
    input: {
      ...{ label, addon: addon || null },
      expires: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      acceptDeveloperAgreement,
    },
  }),
  done: ({ createApiKey: made }, _input, _values, ui) => newKey(ui, made),
});

/** The only page that contains the secret. */
function newKey(ui: Ui, made: MakeKeyMutation['createApiKey']): PageContent {
  const { t } = ui;
  const { apiKey, secret } = payloadOf(made, 'secret');
  const { key, expires } = apiKey;
  return accountPage(
    ui,
    'keys',
    html`${notice(ui, { kind: 'warning', text: t('account.keys.once'), isResult: true })}
${facts(ui, {
  items: [
    { term: t('account.column.key'), value: code(key) },
    { term: t('account.keys.secret'), value: code(secret) },
    { term: t('account.column.expires'), value: expires === null ? t('account.keys.never') : day(ui, expires) },
  ],
})}
<section class="stack"><h2>${t('account.keys.command')}</h2>
<p>${t('account.keys.command-why')}</p>
<pre dir="ltr" tabindex="0"><code>${signCommand(key, secret)}</code></pre></section>
<p><a class="button" href="/account/keys/">${t('account.keys.saved')}</a></p>`,
    { key: 'account.keys.made', name: keyName(apiKey) },
  );
}

/** Signs the add-on in the current folder, with the program that developers of browser add-ons use for it. */
const signCommand = (key: string, secret: string): string =>
  [
    'npx --yes web-ext@10 sign --channel unlisted',
    `--amo-base-url "${config.BASE_URL}/api/v5/"`,
    `--api-key "${key}"`,
    `--api-secret "${secret}"`,
  ].join(' \\\n  ');
