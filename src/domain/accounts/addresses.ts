/* URLs of an account's page and picture, as responses contain them. */
import { config } from '../../config.ts';
import { pictureAddress } from '../../infra/pictures/picture-address.ts';

/** Placeholder picture (contract, Add-on: authors). */
const NO_ACCOUNT_PICTURE = '/static/img/anon_user.png';

export const accountPageUrl = (username: string): string => `${config.BASE_URL}/user/${encodeURIComponent(username)}/`;

export function accountPicture(accountId: number, sha256: string | null): string {
  return sha256 === null ? NO_ACCOUNT_PICTURE : pictureAddress(`accounts/${accountId}/picture`, sha256);
}
