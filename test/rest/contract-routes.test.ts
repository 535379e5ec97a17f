import { describe, expect, it } from 'vitest';
import { config } from '../../src/config.ts';
import { API_VERSIONS } from '../../src/rest/gates.ts';
import { findRoute } from '../../src/rest/router.ts';
import { routes } from '../../src/rest/routes/index.ts';

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
  // Activity
  'GET /addons/addon/{addon}/versions/{id}/reviewnotes/',
  'GET /addons/addon/{addon}/versions/{id}/reviewnotes/{note}/',
  'POST /activity/mail',
  // Authentication
  'GET /accounts/login/start/',
  'GET /accounts/authenticate/',
];

// Its route exists only with this setting.
config.SUPER_CREATE = true;

describe('the contract', () => {
  it.each(DOCUMENTED)('documents %s, which every API version serves', (documented) => {
    const [method = '', path = ''] = documented.split(' ');
    for (const version of API_VERSIONS) {
      for (const slash of ['', '/']) {
        const address = `/api/${version}${path.replace(/\{[^}]+\}/g, '1').replace(/\/$/, '')}${slash}`;
        const { route, apiVersion } = findRoute(routes, method, address, 'development');
        const shape = (text: string) => text.replace(/\{[^}]+\}|:\w+/g, '*').replace(/\/$/, '');
        expect([apiVersion, route.method, shape(route.path)]).toEqual([version, method, shape(path)]);
      }
    }
  });

  it('documents every route below /api', () => {
    const shape = (text: string) => text.replace(/\{[^}]+\}|:\w+/g, '*');
    const known = new Set(DOCUMENTED.map(shape));
    const others = routes.filter(({ outsideApi }) => !outsideApi).map(({ method, path }) => `${method} ${path}`);
    expect(others.filter((name) => !known.has(shape(name)))).toEqual([]);
  });
});
