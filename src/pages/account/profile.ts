import { html } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import {
  AcceptAgreementDocument,
  ChangeAccountPictureDocument,
  ChangeProfileDocument,
  ProfilePageDocument,
  type ProfilePageQuery,
} from '../../generated/operations/graphql.ts';
import { facts } from '../components/facts.ts';
import { PICTURE_TYPES } from '../components/file-field.ts';
import { formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { picture } from '../components/picture.ts';
import { day, moment } from '../components/time.ts';
import { optionalText } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import { requireFile } from '../submit.ts';
import type { Ui } from '../ui.ts';
import { accountPage, ownId } from './account-page.ts';
import { ownDataLink } from './own-data.ts';
import { agreementText } from './parts.ts';

/** Maximum size of a picture, in bytes (docs/decisions.md D93). */
const PICTURE_BYTES = 4 * 1024 * 1024;
/** In CSS pixels; pictures are kept at 200 pixels at most. */
const SHOWN_SIZE = 128;
const MAX_TEXT = 255;
const MAX_BIOGRAPHY = 10_000;

type Account = NonNullable<ProfilePageQuery['viewer']>;

/** The profile, the picture and the developer agreement of the account. */
export const profilePage = page({
  path: '/account/',
  visitor: 'account',
  document: ProfilePageDocument,
  view: ({ viewer }, _input, ui) => {
    if (!viewer?.private) return null;
    const { t } = ui;
    return accountPage(
      ui,
      'profile',
      html`${summary(ui, viewer)}
<section class="stack"><h2>${t('account.profile.public')}</h2>
<p>${t('account.profile.public-why')}</p>
${profileFields(ui, viewer)}</section>
<section class="stack"><h2>${t('account.picture.title')}</h2>
${pictureForms(ui, viewer)}</section>
<section class="stack" id="agreement"><h2>${t('docs.agreement.title')}</h2>
${agreement(ui, viewer.private.developerAgreementAccepted !== null)}</section>
${ownDataLink(ui)}`,
    );
  },
});

function summary(ui: Ui, { username, url, created, private: own }: Account): Html {
  const { t } = ui;
  const { email, emailSettingsUrl, lastLogin } = own ?? {};
  const changeEmail =
    emailSettingsUrl && html` <a href="${wrapLink(emailSettingsUrl)}">${t('account.email.change')}</a>`;
  return facts(ui, {
    items: [
      { term: t('account.username'), value: html`<a href="${new URL(url).pathname}"><bdi>${username}</bdi></a>` },
      {
        term: t('account.email'),
        value: html`${email ? html`<bdi dir="ltr">${email}</bdi>` : t('account.email.none')}${changeEmail}`,
      },
      { term: t('account.created'), value: day(ui, created) },
      { term: t('account.last-sign-in'), value: lastLogin ? moment(ui, lastLogin) : null },
    ],
  });
}

function profileFields(ui: Ui, account: Account): Html {
  const { t } = ui;
  const line = (name: 'location' | 'occupation') =>
    ({ kind: 'text', name, label: t(`account.${name}`), value: account[name], maxLength: MAX_TEXT }) as const;
  return formElement(ui, {
    name: 'profile',
    submit: t('account.profile.save'),
    parts: [
      {
        kind: 'text',
        name: 'displayName',
        label: t('account.display-name'),
        hint: t('account.display-name.hint'),
        value: account.private?.displayName ?? null,
        maxLength: MAX_TEXT,
        autocomplete: 'nickname',
      },
      {
        kind: 'text',
        name: 'username',
        label: t('account.username'),
        hint: t('account.username.hint'),
        value: account.hasGeneratedUsername ? null : account.username,
        maxLength: MAX_TEXT,
        autocomplete: 'username',
        direction: 'ltr',
      },
      {
        kind: 'textarea',
        name: 'biography',
        label: t('account.biography'),
        hint: t('account.biography.hint'),
        value: account.biography,
        maxLength: MAX_BIOGRAPHY,
      },
      {
        kind: 'url',
        name: 'homepage',
        label: t('account.homepage'),
        value: account.homepage,
        maxLength: MAX_TEXT,
        autocomplete: 'url',
        direction: 'ltr',
      },
      line('location'),
      line('occupation'),
    ],
  });
}

export const profileForm = form({
  page: profilePage,
  name: 'profile',
  fields: {
    displayName: optionalText,
    username: optionalText,
    biography: optionalText,
    homepage: optionalText,
    location: optionalText,
    occupation: optionalText,
  },
  document: ChangeProfileDocument,
  variables: (values, input) => ({ input: { id: ownId(input), ...values } }),
});

function pictureForms(ui: Ui, { name, pictureUrl, pictureType }: Account): Html {
  const { t } = ui;
  const hasPicture = pictureType !== null;
  const alt = hasPicture ? t('account.picture.alt', { name }) : t('account.picture.none');
  return html`<p>${picture(ui, { url: pictureUrl, width: SHOWN_SIZE, height: SHOWN_SIZE, alt, class: 'account-picture' })}</p>
${formElement(ui, {
  name: 'picture',
  submit: t(hasPicture ? 'account.picture.replace' : 'account.picture.add'),
  parts: [
    {
      kind: 'file',
      name: 'file',
      label: t('ui.upload.picture'),
      hint: t('account.picture.hint'),
      accept: PICTURE_TYPES,
      isRequired: true,
    },
  ],
})}
${hasPicture ? formElement(ui, { name: 'remove-picture', submit: t('account.picture.remove'), parts: [], isDanger: true }) : ''}`;
}

export const pictureForm = form({
  page: profilePage,
  name: 'picture',
  fields: {},
  file: { limitBytes: PICTURE_BYTES, isCounted: false },
  document: ChangeAccountPictureDocument,
  variables: (_values, input, file) => ({ input: { id: ownId(input), file: Promise.resolve(requireFile(file)) } }),
});

export const removePictureForm = form({
  page: profilePage,
  name: 'remove-picture',
  fields: {},
  document: ChangeAccountPictureDocument,
  variables: (_values, input) => ({ input: { id: ownId(input), file: null } }),
});

function agreement(ui: Ui, isAccepted: boolean): Html {
  const { t } = ui;
  const text = html`<p>${agreementText(ui)}</p>`;
  if (isAccepted) return html`${text}${notice(ui, { kind: 'ok', text: t('done.accept-agreement') })}`;
  return html`${text}
<p>${t('account.agreement.why')}</p>
${formElement(ui, { name: 'accept-agreement', submit: t('account.agreement.accept'), parts: [] })}`;
}

export const agreementForm = form({
  page: profilePage,
  name: 'accept-agreement',
  fields: {},
  document: AcceptAgreementDocument,
  variables: () => ({}),
});
