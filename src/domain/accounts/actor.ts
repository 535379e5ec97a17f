import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { pictureUrl } from '../../infra/pictures/picture-address.ts';

/** What every type of an account has, so that front ends show people in one way. */
export const Actor = builder.interfaceRef<object>('Actor').implement({
  description: 'A person, as other people see them: an account, an author of an add-on, the writer of a note.',
  fields: (t) => ({
    databaseId: t.int({ description: 'The id of the account in REST.' }),
    username: t.string({ description: 'The username in the address of the profile page.' }),
    name: t.string({ description: 'The chosen name, or the username.' }),
    url: t.string({
      nullable: true,
      description:
        'Address of the profile page; null for a deleted account and when the viewer may not see the account.',
    }),
    pictureUrl: t.string({
      description: 'Address of the profile picture; of a placeholder picture when the account has none.',
    }),
  }),
});

// URLs of an account's page and picture, as responses contain them.

/** Placeholder picture (contract, Add-on: authors). */
const NO_ACCOUNT_PICTURE = '/static/img/anon_user.png';

export const accountPageUrl = (username: string): string => `${config.BASE_URL}/user/${encodeURIComponent(username)}/`;

/** URL of the picture of an account; of a placeholder without one. */
export function accountPictureUrl(accountId: number, sha256: string | null): string {
  return sha256 === null ? NO_ACCOUNT_PICTURE : pictureUrl(`accounts/${accountId}/picture`, sha256);
}
