/*
 * The paths, parameters and keys of the catalogue, as the contract lists them for each API version.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { type FullCatalogue, fullCatalogue } from '../support/full-catalogue.ts';
import { catalogueReads } from '../support/garbage.ts';

const app = setUpApp();
let author: Client;
let made: FullCatalogue;

beforeAll(async () => {
  author = await app.developer();
  made = await fullCatalogue([author.accountId ?? 0]);
});

type Json = Record<string, unknown>;

describe('the documented paths and parameters of the catalogue', () => {
  const search = 'q app appversion author category lang platform tag type sort';
  const PATHS: [path: string, parameters: string, notInV3: string][] = [
    ['/addons/featured/', 'app category lang type page_size', ''],
    ['/addons/search/', `${search} exclude_addons featured guid page page_size promoted recommended`, ''],
    ['/addons/autocomplete/', search, ''],
    ['/addons/addon/{addon}/', 'app appversion lang show_grouped_ratings wrap_outgoing_links', 'app appversion'],
    ['/addons/addon/{addon}/versions/', 'filter lang page page_size', ''],
    ['/addons/addon/{addon}/versions/{version_id}/', 'lang', ''],
    ['/addons/addon/{addon}/feature_compatibility/', '', ''],
    ['/addons/addon/{addon}/eula_policy/', 'lang', ''],
    ['/addons/categories/', 'lang', ''],
    ['/addons/language-tools/', 'app appversion author lang type', 'author'],
    ['/addons/replacement-addon/', 'page page_size', ''],
    ['/addons/compat-override/', 'guid page page_size', ''],
    ['/addons/recommendations/', 'guid lang recommended', ''],
    ['/accounts/account/{account}/', 'wrap_outgoing_links', ''],
    ['/accounts/account/{account}/collections/{collection}/', 'lang with_addons', ''],
    ['/accounts/account/{account}/collections/{collection}/addons/', 'filter lang page page_size sort', ''],
    ['/accounts/account/{account}/collections/{collection}/addons/{addon}/', 'lang', ''],
    ['/site/', 'lang', ''],
  ];
  // Under v3 they are below /reviews/.
  const RATINGS: typeof PATHS = [
    [
      '/ratings/rating/',
      'addon exclude_ratings filter lang page page_size score show_flags_for show_grouped_ratings show_permissions_for user version',
      '',
    ],
    ['/ratings/rating/{id}/', 'lang show_flags_for', ''],
  ];
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  const documented = (version: 'v3' | 'v4') =>
    Object.fromEntries(catalogueReads(version).map(({ template, queryNames }) => [template, queryNames.toSorted()]));

  it('are those of the contract in version 4', () => {
    expect(documented('v4')).toEqual(
      Object.fromEntries([...PATHS, ...RATINGS].map(([path, names]) => [path, words(names).sort()])),
    );
  });

  it('are the same in version 3, except those that it lacks', () => {
    const known = PATHS.map(([path, names, missing]) => [
      path,
      words(names)
        .filter((name) => !words(missing).includes(name))
        .sort(),
    ]);
    expect(documented('v3')).toEqual(Object.fromEntries(known));
  });
});

describe('the keys of every object', () => {
  const AUTHOR = 'id name url username picture_url';
  const FILE =
    'id created hash is_vendor_signed_extension is_restart_required is_webextension permissions platform size status url';
  const FOUND_VERSION = 'id channel compatibility edit_url files reviewed is_strict_compatibility_enabled url version';
  const VERSION = FOUND_VERSION.replace('files', 'files license release_notes');
  const ADDON =
    'id authors average_daily_users categories contributions_url created current_version default_locale description ' +
    'developer_comments edit_url guid has_eula has_privacy_policy homepage icon_url icons is_disabled is_experimental ' +
    'is_featured is_source_public name last_updated previews public_stats ratings ratings_url requires_payment ' +
    'requires_sensitive_data_access review_url slug status summary support_email support_url tags type url weekly_downloads';
  const PERSONA = ADDON.replace(' type ', ' theme_data type ').replace(' weekly_downloads', '');
  const PAGE = 'next previous page_size page_count count results';
  const THEME =
    'id name accentcolor textcolor category author description header footer headerURL footerURL previewURL iconURL ' +
    'updateURL detailURL version';
  const TOOL = 'id default_locale name guid locale_disambiguation slug target_locale type url';
  const APPLICATIONS = 'desktop_browser mail_client mobile_browser suite_app';

  /** Path in the response, with dots between keys, and the keys of the object there. */
  const ADDON_PARTS: [string, string][] = [
    ['authors.0', AUTHOR],
    ['categories', 'desktop_browser mobile_browser'],
    ['icons', '32 64'],
    ['previews.0', 'id caption image_size image_url thumbnail_size thumbnail_url'],
    ['ratings', 'count text_count average bayesian_average'],
    ['current_version', VERSION],
    ['current_version.compatibility', APPLICATIONS],
    ['current_version.license', 'id name url'],
    ['current_version.files.0', FILE],
  ];
  const below = (at: string, parts: [string, string][]): [string, string][] =>
    parts.map(([path, keys]) => [`${at}.${path}`, keys]);
  const HIT_PARTS: [string, string][] = [
    ['authors.0', AUTHOR.replace(' picture_url', '')],
    ['current_version', FOUND_VERSION],
    ['current_version.files.0', FILE],
  ];
  const VERSION_PARTS: [string, string][] = [
    ['compatibility', APPLICATIONS],
    ['compatibility.mail_client', 'min max'],
    ['license', 'id is_custom name text url'],
    ['files.4', FILE],
  ];

  const KEYS: [path: string, keys: [string, string][]][] = [
    ['addon/full/', [['', ADDON], ...ADDON_PARTS]],
    [
      'addon/dusk/',
      [
        ['', PERSONA],
        ['theme_data', THEME],
      ],
    ],
    ['addon/full/versions/', [['', PAGE], ['results.0', VERSION], ...below('results.0', VERSION_PARTS)]],
    ['addon/full/versions/ID/', [['', VERSION], ...VERSION_PARTS]],
    ['addon/full/feature_compatibility/', [['', 'e10s']]],
    ['addon/full/eula_policy/', [['', 'eula privacy_policy']]],
    [
      'featured/?app=desktop_browser&type=extension',
      [['', 'results'], ['results.0', ADDON], ...below('results.0', ADDON_PARTS)],
    ],
    ['search/?q=clock', [['', PAGE], ['results.0', `${ADDON} _score`], ...below('results.0', HIT_PARTS)]],
    [
      'autocomplete/?q=clock',
      [
        ['', 'results'],
        ['results.0', 'id icon_url name type url'],
      ],
    ],
    [
      'recommendations/',
      [['', `outcome fallback_reason ${PAGE}`], ['results.0', `${ADDON} _score`], ...below('results.0', HIT_PARTS)],
    ],
    [
      'language-tools/?app=desktop_browser',
      [
        ['', 'results'],
        ['results.0', TOOL],
      ],
    ],
    [
      'language-tools/?app=desktop_browser&type=language&appversion=60.0',
      [
        ['results.0', TOOL.replace('id ', 'id current_compatible_version ')],
        ['results.0.current_compatible_version', 'id files reviewed version'],
        ['results.0.current_compatible_version.files.0', FILE],
      ],
    ],
    [
      'replacement-addon/',
      [
        ['', PAGE],
        ['results.0', 'guid replacement'],
      ],
    ],
    [
      'compat-override/',
      [
        ['', PAGE],
        ['results.0', 'addon_id addon_guid name version_ranges'],
        ['results.0.version_ranges.0', 'addon_min_version addon_max_version applications'],
        ['results.0.version_ranges.0.applications.0', 'name id min_version max_version guid'],
      ],
    ],
  ];

  const at = (value: unknown, path: string): unknown =>
    path.split('.').reduce((part, key) => (key === '' ? part : (part as Json)[key]), value);
  /** Version 3 has no `created` and no score; the contract has `developer comments` under two names. */
  const expected = (keys: string, version: string) => {
    const isOlder = version === 'v3' && keys.includes('developer_comments');
    const known = isOlder ? keys.replace(' created', '').replace(' _score', '') : keys;
    return known.replace('developer_comments', 'developer comments developer_comments');
  };

  describe.each(['v3', 'v4', 'v4dev'])('under %s', (version) => {
    it.each(KEYS)('%s', async (path, keys) => {
      const id = String(made.full.versions[1]?.id);
      for (const lang of ['', 'lang=de']) {
        const query = `${path.includes('?') ? '&' : '?'}${lang}`;
        const reply = await app.anonymous.get(`/api/${version}/addons/${path.replace('ID', id)}${query}`);
        expect(reply.status).toBe(200);
        for (const [place, names] of keys) {
          expect([place, Object.keys(at(reply.json, place) as object).join(' ')]).toEqual([
            place,
            expected(names, version),
          ]);
        }
      }
    });

    it('include for authors what only they see', async () => {
      const { json } = await author.get(`/api/${version}/addons/addon/full/`);
      const keys = expected(ADDON.replace('last_updated', 'last_updated latest_unlisted_version'), version);
      expect(Object.keys(json as object).join(' ')).toBe(keys);
      expect(Object.keys((json as { latest_unlisted_version: object }).latest_unlisted_version).join(' ')).toBe(
        VERSION,
      );
    });
  });
});
