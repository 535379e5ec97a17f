import type { Route } from '../route.ts';
import { abuseRoutes } from './abuse.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { activityMailRoutes } from './activity-mail.ts';
import { addonListRoutes } from './addon-lists.ts';
import { addonRoutes } from './addons.ts';
import { collectionRoutes } from './collections.ts';
import { discoveryRoutes } from './discovery.ts';
import { notificationRoutes } from './notifications.ts';
import { publishingRoutes } from './publishing.ts';
import { ratingRoutes } from './ratings.ts';
import { searchRoutes } from './search.ts';
import { signInRoutes } from './sign-in.ts';
import { signingRoutes } from './signing.ts';
import { siteRoutes } from './site.ts';
import { submissionRoutes } from './submission.ts';
import { superCreateRoutes } from './super-create.ts';
import { themeRoutes } from './themes.ts';
import { uploadRoutes } from './uploads.ts';
import { versionRoutes } from './versions.ts';

/**
 * All routes. The first match wins: signing is last, because its paths also match catalogue paths of an add-on with the slug
 * `versions`.
 */
export const routes: readonly Route[] = [
  ...searchRoutes,
  ...addonRoutes,
  ...versionRoutes,
  ...submissionRoutes,
  ...uploadRoutes,
  ...publishingRoutes,
  ...activityRoutes,
  ...activityMailRoutes,
  ...addonListRoutes,
  ...discoveryRoutes,
  ...siteRoutes,
  ...ratingRoutes,
  ...abuseRoutes,
  ...themeRoutes,
  ...signInRoutes,
  ...accountRoutes,
  ...collectionRoutes,
  ...notificationRoutes,
  ...superCreateRoutes,
  ...signingRoutes,
];
