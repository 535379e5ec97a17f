import { describe, expect, it } from 'vitest';
import { config } from '../../src/config.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { CONTRACT_VERSIONS } from '../../src/rest/view.ts';
import { routeFinder } from '../support/find-in-table.ts';

/** Every method and path that the contract documents, with its parameters in braces. */
const DOCUMENTED = [
  // Signing
  'PUT /addons/{addon-id}/versions/{version}/',
  'POST /addons/',
  'GET /addons/{addon-id}/versions/{version}/',
  'GET /addons/{addon-id}/versions/{version}/uploads/{upload-pk}/',
  'GET /file/{file_id}/{base_filename}',
  // Add-on catalogue
  'GET /addons/featured/',
  'GET /addons/search/',
  'GET /addons/autocomplete/',
  'GET /addons/addon/{addon}/',
  'GET /addons/addon/{addon}/versions/',
  'GET /addons/addon/{addon}/versions/{id}/',
  'GET /addons/addon/{addon}/feature_compatibility/',
  'GET /addons/addon/{addon}/eula_policy/',
  'GET /addons/language-tools/',
  'GET /addons/replacement-addon/',
  'GET /addons/compat-override/',
  'GET /addons/recommendations/',
  // Accounts
  'GET /accounts/account/{user}/',
  'GET /accounts/profile/',
  'PATCH /accounts/account/{user}/',
  'DELETE /accounts/account/{user}/picture',
  'DELETE /accounts/account/{user}/',
  'GET /accounts/account/{user}/notifications/',
  'POST /accounts/account/{user}/notifications/',
  'POST /accounts/super-create/',
  'DELETE /accounts/session/',
  // Abuse reports
  'POST /abuse/report/addon/',
  'POST /abuse/report/user/',
  'POST /abuse/report/collection/',
  'POST /abuse/report/rating/',
  // Activity
  'GET /addons/addon/{addon}/versions/{id}/reviewnotes/',
  'GET /addons/addon/{addon}/versions/{id}/reviewnotes/{note}/',
  'POST /activity/mail',
  // Authentication
  'GET /accounts/login/start/',
  'GET /accounts/authenticate/',
  // Front ends for visitors
  'GET /addons/categories/',
  'GET /site/',
  'GET /shelves/sponsored/',
  'GET /discovery/',
  'GET /discovery/editorial/',
  'GET /hero/',
  'POST /accounts/unsubscribe/',
  'GET /accounts/account/{user}/collections/',
  'POST /accounts/account/{user}/collections/',
  'GET /accounts/account/{user}/collections/{slug}/',
  'PATCH /accounts/account/{user}/collections/{slug}/',
  'DELETE /accounts/account/{user}/collections/{slug}/',
  'GET /accounts/account/{user}/collections/{slug}/addons/',
  'POST /accounts/account/{user}/collections/{slug}/addons/',
  'GET /accounts/account/{user}/collections/{slug}/addons/{addon}/',
  'PATCH /accounts/account/{user}/collections/{slug}/addons/{addon}/',
  'DELETE /accounts/account/{user}/collections/{slug}/addons/{addon}/',
];

// Its route exists only with this setting.
config.SUPER_CREATE = true;

const findRoute = routeFinder(routes);

/** A path with a placeholder for each parameter, without its last slash. */
const shapeOf = (text: string) => text.replace(/\{[^}]+\}|:\w+/g, '*').replace(/\/$/, '');

/** What follows the address of ratings, which differs between the API versions (contract, Versioning). */
const OF_RATINGS = ['GET ', 'POST ', 'GET {id}/', 'PATCH {id}/', 'DELETE {id}/', 'POST {id}/reply/', 'POST {id}/flag/'];
const RATINGS = { v3: '/reviews/review/', v4: '/ratings/rating/', v4dev: '/ratings/rating/' } as const;

describe('the contract', () => {
  it.each(CONTRACT_VERSIONS)('has the names of ratings that %s serves', async (version) => {
    for (const documented of OF_RATINGS) {
      const [method = '', rest = ''] = documented.split(' ');
      const path = RATINGS[version] + rest;
      const { route, apiVersion } = await findRoute(method, `/api/${version}${path.replace('{id}', '1')}`);
      expect([apiVersion, route.method, shapeOf(route.path)]).toEqual([version, method, shapeOf(path)]);
    }
  });

  it.each(DOCUMENTED)('documents %s, which every API version serves', async (documented) => {
    const [method = '', path = ''] = documented.split(' ');
    for (const version of CONTRACT_VERSIONS) {
      for (const slash of ['', '/']) {
        const address = `/api/${version}${path.replace(/\{[^}]+\}/g, '1').replace(/\/$/, '')}${slash}`;
        const { route, apiVersion } = await findRoute(method, address);
        expect([apiVersion, route.method, shapeOf(route.path)]).toEqual([version, method, shapeOf(path)]);
      }
    }
  });

  it('documents every route below /api', () => {
    const ratings = OF_RATINGS.map((text) => text.replace(' ', ` ${RATINGS.v4}`));
    const known = new Set([...DOCUMENTED, ...ratings].map(shapeOf));
    const own = routes.filter(({ outsideApi, apiVersions }) => !outsideApi && apiVersions.includes('v4'));
    expect(own.map(({ method, path }) => `${method} ${path}`).filter((name) => !known.has(shapeOf(name)))).toEqual([]);
  });
});

/** Every method and path of the submission API. */
const SUBMISSION = [
  'POST /addons/upload/',
  'GET /addons/upload/',
  'GET /addons/upload/{uuid}/',
  'POST /addons/addon/',
  'PUT /addons/addon/{guid}/',
  'GET /addons/addon/{addon}/',
  'PATCH /addons/addon/{addon}/',
  'GET /addons/addon/{addon}/versions/',
  'POST /addons/addon/{addon}/versions/',
  'GET /addons/addon/{addon}/versions/{ref}/',
  'PATCH /addons/addon/{addon}/versions/{ref}/',
  'GET /addons/addon/{addon}/versions/{ref}/source/',
  'GET /accounts/profile/',
  'POST /abuse/report/addon/',
  'POST /abuse/report/collection/',
  'POST /abuse/report/rating/',
  // Of this service: docs/publishing-from-ci.md.
  'POST /publishing/token/',
  // Reads of programs without credentials, as under v4.
  'GET /addons/search/',
  'GET /addons/autocomplete/',
  'GET /addons/language-tools/',
  'GET /addons/addon/{addon}/eula_policy/',
  'GET /accounts/account/{account}/',
  'GET /site/',
  'GET /addons/browser-mappings/',
  'GET /ratings/rating/',
  'GET /ratings/rating/{id}/',
  'POST /accounts/unsubscribe/',
  // Signing as under v4.
  'POST /addons/',
  'PUT /addons/{guid}/versions/{version}/',
  'GET /addons/{guid}/versions/{version}/',
  'GET /addons/{guid}/versions/{version}/uploads/{pk}/',
  'GET /file/{file_id}/{base_filename}',
];

describe('the submission API', () => {
  it('serves exactly its own routes, with and without the last slash', async () => {
    const own = routes.filter(({ apiVersions, outsideApi }) => !outsideApi && apiVersions.includes('v5'));
    expect(own.map(({ method, path }) => shapeOf(`${method} ${path}`)).sort()).toEqual(SUBMISSION.map(shapeOf).sort());
    for (const documented of SUBMISSION) {
      const [method = '', path = ''] = documented.split(' ');
      for (const slash of ['', '/']) {
        const address = `/api/v5${path.replace(/\{[^}]+\}/g, '1').replace(/\/$/, '')}${slash}`;
        const { route, apiVersion } = await findRoute(method, address);
        expect([apiVersion, route.method, shapeOf(route.path)]).toEqual(['v5', method, shapeOf(path)]);
      }
    }
  });

  it('returns 404 for the other routes of the contract', async () => {
    const known = new Set(SUBMISSION.map((each) => shapeOf(each.split(' ')[1] ?? '')));
    for (const documented of DOCUMENTED) {
      const [method = '', path = ''] = documented.split(' ');
      if (known.has(shapeOf(path))) continue;
      const address = `/api/v5${path.replace(/\{[^}]+\}/g, 'x')}`;
      await expect(findRoute(method, address)).rejects.toMatchObject({ status: 404 });
    }
  });
});
