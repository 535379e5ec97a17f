/* Who may call each REST route that no table of object states has: object-states.test.ts has all others. */
import { EVERYONE, type Role, SIGNED_IN } from './world.ts';

export interface RestCase {
  /** The address below `/api/<version>`, or the whole one of a route outside the API. */
  address: string;
  allowed: readonly Role[];
  /** What all other roles get; 401 for anonymous clients and 403 for others by default. */
  refusal?: 404 | 403;
  /** What anonymous clients get if it is something else. */
  anonymous?: 401;
}

const one = (address: string, allowed: readonly Role[], refusal?: RestCase['refusal'], anonymous?: 401): RestCase => ({
  ...{ address, allowed },
  ...(refusal ? { refusal } : {}),
  ...(anonymous ? { anonymous } : {}),
});

/** By method and path of the route table. */
export const REST_TABLE: Readonly<Record<string, readonly RestCase[]>> = {
  'GET /addons/search/': [one('/addons/search/', EVERYONE)],
  'GET /addons/autocomplete/': [one('/addons/autocomplete/?q=x', EVERYONE)],
  'GET /addons/featured/': [one('/addons/featured/?app=desktop_browser', EVERYONE)],
  'GET /addons/language-tools/': [one('/addons/language-tools/?app=desktop_browser', EVERYONE)],
  'GET /addons/replacement-addon/': [one('/addons/replacement-addon/', EVERYONE)],
  'GET /addons/compat-override/': [one('/addons/compat-override/', EVERYONE)],
  'GET /addons/recommendations/': [one('/addons/recommendations/', EVERYONE)],
  'GET /addons/categories/': [one('/addons/categories/', EVERYONE)],
  'GET /ratings/rating/': [one('/ratings/rating/?user=2000000000', EVERYONE)],
  'POST /ratings/rating/': [one('/ratings/rating/', SIGNED_IN)],
  'GET /discovery/': [one('/discovery/', EVERYONE)],
  'GET /discovery/editorial/': [one('/discovery/editorial/', EVERYONE)],
  'GET /hero/': [one('/hero/', EVERYONE)],
  'GET /addons/browser-mappings/': [one('/addons/browser-mappings/?browser=chrome', EVERYONE)],
  'POST /accounts/unsubscribe/': [one('/accounts/unsubscribe/', EVERYONE)],
  'GET /shelves/sponsored/': [one('/shelves/sponsored/', EVERYONE)],
  'GET /site/': [one('/site/', EVERYONE)],
  'GET /themes/update-check/:id': [one('/themes/update-check/2000000000', [], 404)],
  'POST /addons/': [one('/addons/', SIGNED_IN)],
  'POST /addons/addon/': [one('/addons/addon/', SIGNED_IN)],
  'POST /addons/upload/': [one('/addons/upload/', SIGNED_IN)],
  // For guids that no add-on has.
  'PUT /addons/addon/:guid/': [
    one('/addons/addon/unknown@example/', SIGNED_IN),
    one('/addons/addon/no-guid/', [], 404, 401),
  ],
  'POST /activity/mail': [one('/activity/mail', [], 403)],
  'GET /accounts/login/start/': [one('/accounts/login/start/', [], 404)],
  'GET /accounts/authenticate/': [one('/accounts/authenticate/', [], 404)],
  'GET /accounts/profile/': [one('/accounts/profile/', SIGNED_IN)],
  'DELETE /accounts/session/': [one('/accounts/session/', SIGNED_IN)],
  'POST /accounts/super-create/': [one('/accounts/super-create/', [], 404)],
};
