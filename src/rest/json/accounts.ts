import { z } from 'zod';
import type {
  AccountFieldsFragment,
  AccountSummaryFieldsFragment,
  NotificationFieldsFragment,
} from '../../generated/operations/graphql.ts';
import { linkFor } from '../links.ts';
import { shape } from './shape.ts';
import { dateTime } from './text.ts';

/** The `user` of a review note or of an abuse report (contract, Review note and Abuse report). The `reporter` has another order. */
export const personShape = shape<AccountSummaryFieldsFragment>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    name: [z.string(), ({ name }) => name],
    url: [z.url().nullable(), ({ url }) => url],
    username: [z.string(), ({ username }) => username],
  },
  'Person',
);

type PrivateFields = NonNullable<AccountFieldsFragment['private']>;
type Key<Selected> = Parameters<typeof shape<Selected>>[0][string];

const textOrNull = z.string().nullable();

/** A key that is absent unless the viewer is the account or holds `Users:Edit`. */
function further(schema: z.ZodType, value: (shown: PrivateFields) => unknown): Key<AccountFieldsFragment> {
  return [schema.optional(), (shown) => (shown.private ? value(shown.private) : undefined)];
}

/** The Account object (contract, Account; docs/decisions.md D85), keys in the documented order. */
export const accountShape = shape<AccountFieldsFragment>(
  {
    average_addon_rating: [z.number(), ({ averageAddonRating }) => averageAddonRating],
    biography: [textOrNull, ({ biography }) => biography],
    created: [dateTime, ({ created }) => created],
    has_anonymous_display_name: [z.boolean(), ({ hasGeneratedName }) => hasGeneratedName],
    has_anonymous_username: [z.boolean(), ({ hasGeneratedUsername }) => hasGeneratedUsername],
    homepage: [textOrNull, ({ homepage }, view) => linkFor(homepage, view)],
    id: [z.int(), ({ databaseId }) => databaseId],
    is_addon_developer: [z.boolean(), ({ isAddonDeveloper }) => isAddonDeveloper],
    is_artist: [z.boolean(), ({ isArtist }) => isArtist],
    location: [textOrNull, ({ location }) => location],
    name: [z.string(), ({ name }) => name],
    num_addons_listed: [z.int(), ({ publicAddonCount }) => publicAddonCount],
    occupation: [textOrNull, ({ occupation }) => occupation],
    picture_type: [textOrNull, ({ pictureType }) => pictureType],
    picture_url: [z.url().nullable(), ({ pictureType, pictureUrl }) => (pictureType === null ? null : pictureUrl)],
    url: [z.url(), ({ url }) => url],
    username: [z.string(), ({ username }) => username],
    deleted: further(z.boolean(), () => false),
    display_name: further(textOrNull, ({ displayName }) => displayName),
    email: further(textOrNull, ({ email }) => email),
    idp_edit_email_url: [
      z.url().optional(),
      (shown, { gates }) => (gates.idpEditEmailUrl ? shown.private?.emailSettingsUrl : undefined),
    ],
    last_login: further(dateTime.nullable(), ({ lastLogin }) => lastLogin),
    last_login_ip: further(z.string(), ({ lastLoginIp }) => lastLoginIp ?? ''),
    is_verified: further(z.boolean(), ({ isVerified }) => isVerified),
    permissions: further(z.array(z.string()), ({ permissions }) => permissions),
    read_dev_agreement: further(z.boolean(), ({ developerAgreementAccepted }) => developerAgreementAccepted !== null),
  },
  'Account',
);

/** A Notification (contract, Notification). */
export const notificationShape = shape<NotificationFieldsFragment>(
  {
    name: [z.string(), ({ name }) => name],
    enabled: [z.boolean(), ({ isEnabled }) => isEnabled],
    mandatory: [z.boolean(), ({ isMandatory }) => isMandatory],
  },
  'Notification',
);
