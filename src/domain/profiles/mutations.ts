import type { InputFields } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { changedAccount } from '../accounts/changed-account.ts';
import { setAccountDisabled } from './disable-account.ts';

const accountToDisable = (t: InputFields) => ({
  id: t.id({ required: true, description: 'Global id of the account.' }),
  reason: t.string({ description: 'Plain text for the audit log.' }),
});

mutation('disableAccount', {
  description: 'Disables an account, which invalidates all of its tokens and keys. Requires Users:Edit.',
  input: 'The account to disable.',
  inputFields: accountToDisable,
  resolve: async (input, { viewer }) => {
    const accountId = idOf('Account', input.id);
    await setAccountDisabled(viewer, accountId, true, (input.reason ?? '').trim());
    return { accountId };
  },
  payloadFields: changedAccount('The disabled account.'),
});

mutation('enableAccount', {
  description: 'Enables a disabled account again, with its keys and tokens. Requires Users:Edit.',
  input: 'The account to enable.',
  inputFields: accountToDisable,
  resolve: async (input, { viewer }) => {
    const accountId = idOf('Account', input.id);
    await setAccountDisabled(viewer, accountId, false, (input.reason ?? '').trim());
    return { accountId };
  },
  payloadFields: changedAccount('The enabled account.'),
});
