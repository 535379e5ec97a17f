/* Responses of REST and GraphQL that hand out addresses of pages. */
import { HOSTILE_COLLECTION, HOSTILE_EDITION, HOSTILE_SLUG } from './hostile.ts';

const [OWNER, COLLECTION] = HOSTILE_COLLECTION.split('/');

/** REST addresses whose results name addresses; the crawl follows those of single objects. */
export const REST_STARTS = [
  '/api/v3/addons/search/?page_size=25',
  '/api/v4/addons/search/?page_size=50&sort=users',
  '/api/v4/addons/search/?page_size=50&sort=created',
  '/api/v4/addons/search/?page_size=25&type=statictheme',
  '/api/v4/addons/autocomplete/?q=tab',
  '/api/v4/addons/featured/?app=desktop_browser&page_size=20',
  '/api/v4/addons/language-tools/?app=desktop_browser',
  '/api/v4/addons/recommendations/?guid=tab-notes@demo.example&recommended=true',
  '/api/v4/addons/addon/tab-notes/',
  '/api/v4/addons/addon/tab-notes/versions/',
  '/api/v4/accounts/account/demo-developer/',
  '/api/v4/accounts/profile/',
  '/api/v5/addons/upload/',
  `/api/v4/ratings/rating/?addon=${HOSTILE_SLUG}&show_grouped_ratings=true`,
  `/api/v4/accounts/account/${OWNER}/collections/${COLLECTION}/?with_addons`,
  '/api/v4/discovery/',
  `/api/v4/discovery/?edition=${HOSTILE_EDITION}`,
  '/api/v4/hero/',
];

const ADDON = `
  url editUrl reviewUrl ratingsUrl iconUrl
  icons { url }
  authors { url pictureUrl }
  previews { imageUrl thumbnailUrl }
  license { url }
  themeData { detailUrl footerUrl headerUrl iconUrl previewUrl updateUrl }
`;

const ADDRESSES = `{
  addons(first: 25) { nodes { ${ADDON} } }
  search(first: 25) { nodes { ${ADDON} } }
  languageTools(app: DESKTOP_BROWSER) { addon { url } }
  account(by: { username: "demo-developer" }) { url pictureUrl }
}`;

const VERSIONS = `{
  addon(by: { slug: "tab-notes" }) {
    ${ADDON}
    versions(first: 10) { nodes { url editUrl license { url } files { url } } }
  }
}`;

/**
 * Sends the GraphQL queries as one role. Returns the texts of the responses.
 * @throws {Error} if one has no data.
 */
export async function graphqlResponses(origin: string, authorization: string | null): Promise<string[]> {
  return Promise.all(
    [ADDRESSES, VERSIONS].map(async (query) => {
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(authorization === null ? {} : { authorization }),
        },
        body: JSON.stringify({ query }),
      });
      const text = await response.text();
      if ((JSON.parse(text) as { errors?: unknown }).errors !== undefined) throw new Error(text.slice(0, 500));
      return text;
    }),
  );
}
