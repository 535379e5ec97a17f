import { NotFoundError } from '../../errors.ts';
import { KeysPageDocument, RevokeKeyDocument } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { recordId } from '../../http/params.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { moment } from '../components/time.ts';
import { form, withDone } from '../form.ts';
import { code } from '../html.ts';
import { page, redirect } from '../page.ts';
import { accountPage } from './account-page.ts';
import { isValidKey, keyName } from './keys.ts';

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
  done: () => redirect(withDone(KEYS, 'revoke-key'), 303),
});
