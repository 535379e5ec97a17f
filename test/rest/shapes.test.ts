import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { config } from '../../src/config.ts';
import {
  InvalidInputError,
  NotAuthenticatedError,
  NotFoundError,
  NotPermittedError,
  PackageError,
  ReadOnlyError,
  ThrottledError,
  UnavailableError,
  VersionExistsError,
} from '../../src/errors.ts';
import { HttpRefusal } from '../../src/http/http-refusal.ts';
import { readParam, textParam } from '../../src/http/params.ts';
import { errorReply } from '../../src/rest/errors.ts';
import { DOCUMENTED_VERSIONS, openApiDocument } from '../../src/rest/openapi.ts';
import { translated } from '../../src/rest/translations.ts';
import { apiAddress, viewOf } from '../../src/rest/view.ts';
import { message } from '../../src/texts/messages.ts';
import { beginningWith } from '../support/expect-refusal.ts';

/** A message with this English text. */
const said = (problem: string) => message('request.unfit_value', { problem });

describe('the body of an error', () => {
  const flags = { is_disabled_by_developer: true, is_disabled_by_vendor: false };
  it.each([
    [new InvalidInputError(said('Bad.')), 400, { error: 'Bad.' }, { non_field_errors: ['Bad.'] }],
    [new InvalidInputError(said('Bad.'), { app: [said('Bad.')] }), 400, { error: 'Bad.' }, { app: ['Bad.'] }],
    [new PackageError(said('Broken.')), 400, { error: 'Broken.' }, { non_field_errors: ['Broken.'] }],
    [
      new NotAuthenticatedError(said('Who?'), 'ERROR_INVALID_HEADER'),
      401,
      { error: 'Who?', detail: 'Who?', code: 'ERROR_INVALID_HEADER' },
      { detail: 'Who?', code: 'ERROR_INVALID_HEADER' },
    ],
    [new NotPermittedError(said('No.')), 403, { error: 'No.', detail: 'No.' }, { detail: 'No.' }],
    [
      new NotPermittedError(said('No.'), flags),
      403,
      { error: 'No.', detail: 'No.', ...flags },
      { detail: 'No.', ...flags },
    ],
    [new NotFoundError(said('Gone.')), 404, { error: 'Gone.', detail: 'Gone.' }, { detail: 'Gone.' }],
    [new VersionExistsError(said('Taken.')), 409, { error: 'Taken.' }, { non_field_errors: ['Taken.'] }],
    [new ReadOnlyError('Later.'), 503, { error: 'Later.', detail: 'Later.' }, { error: 'Later.', detail: 'Later.' }],
    [
      new UnavailableError(said('Full.')),
      503,
      { error: 'Full.', detail: 'Full.' },
      { error: 'Full.', detail: 'Full.' },
    ],
    [new HttpRefusal(415, said('What?')), 415, { detail: 'What?' }, { detail: 'What?' }],
    [new TypeError('a secret'), 500, { detail: 'Internal Server Error' }, { detail: 'Internal Server Error' }],
  ])('%o', (error, status, onSigning, elsewhere) => {
    expect(errorReply(error, 'error')).toMatchObject({ status, body: onSigning });
    expect(errorReply(error, 'detail')).toMatchObject({ status, body: elsewhere });
    expect(Object.keys(errorReply(error, 'error').body)).toEqual(Object.keys(onSigning));
  });

  const keys = { fields: { namedCategories: 'categories', releaseNotes: 'version.release_notes' }, package: 'upload' };
  it.each([
    [new InvalidInputError(said('Bad.')), 400, { non_field_errors: ['Bad.'] }],
    [
      new InvalidInputError(said('Bad.'), {
        namedCategories: [said('Bad.'), said('Worse.')],
        releaseNotes: [said('Long.')],
        id: [said('Odd.')],
      }),
      400,
      {
        categories: ['Bad.', 'Worse.'],
        version: { release_notes: ['Long.'] },
        non_field_errors: ['Odd.', 'Fields: id.'],
      },
    ],
    [new PackageError(said('Broken.')), 400, { upload: ['Broken.'] }],
    [new VersionExistsError(said('Taken.')), 409, { version: ['Taken.'] }],
    [new HttpRefusal(400, said('What?')), 400, { non_field_errors: ['What?'] }],
    [new HttpRefusal(415, said('What?')), 415, { detail: 'What?' }],
    [
      new NotAuthenticatedError(said('Who?'), 'ERROR_INVALID_HEADER'),
      401,
      { detail: 'Who?', code: 'ERROR_INVALID_HEADER' },
    ],
    [new NotPermittedError(said('No.'), flags), 403, { detail: 'No.', ...flags }],
    [new NotFoundError(), 404, { detail: 'Not found.' }],
    [new ThrottledError(2), 429, { detail: 'Request was throttled. Expected available in 2 seconds.' }],
    [new ReadOnlyError('Later.'), 503, { detail: 'Later.' }],
    [new UnavailableError(said('Full.')), 503, { detail: 'Full.' }],
    [new TypeError('a secret'), 500, { detail: 'Internal Server Error' }],
  ])('names fields in the submission API: %o', (error, status, body) => {
    expect(errorReply(error, 'fields', keys)).toMatchObject({ status });
    expect(errorReply(error, 'fields', keys).body).toEqual(body);
  });

  it('of the submission API has the names of parameters where a route declares no others', () => {
    const { body } = errorReply(new InvalidInputError(said('Bad.'), { filter: [said('Bad.')] }), 'fields');
    expect(body).toEqual({ filter: ['Bad.'] });
  });

  it('has Retry-After when throttled, and in read-only mode if the operator set it', () => {
    const reply = errorReply(new ThrottledError(1), 'detail');
    const detail = 'Request was throttled. Expected available in 1 second.';
    expect(reply).toEqual({ status: 429, headers: { 'Retry-After': '1' }, body: { detail } });
    config.RETRY_AFTER = 60;
    expect(errorReply(new ReadOnlyError('x'), 'detail').headers).toEqual({ 'Retry-After': '60' });
    expect(errorReply(new UnavailableError(said('x')), 'detail').headers).toEqual({});
    config.RETRY_AFTER = undefined;
  });
});

describe('a translated field', () => {
  const name = {
    value: 'Uhr',
    locale: 'de',
    texts: { 'en-US': 'Clock', de: 'Uhr' },
  };
  const view = (version: 'v3' | 'v4' | 'v4dev' | 'v5', lang: string | null, method = 'GET') =>
    viewOf(method, version, lang, '');

  it.each([
    ['v3', null, 'GET', { 'en-US': 'Clock', de: 'Uhr' }],
    ['v4', null, 'GET', { 'en-US': 'Clock', de: 'Uhr' }],
    ['v4dev', null, 'GET', { 'en-US': 'Clock', de: 'Uhr' }],
    ['v3', 'de', 'GET', 'Uhr'],
    ['v4', 'de', 'GET', 'Uhr'],
    ['v4dev', 'de', 'GET', { de: 'Uhr' }],
    ['v5', 'de', 'GET', { de: 'Uhr' }],
    ['v5', null, 'GET', { 'en-US': 'Clock', de: 'Uhr' }],
    ['v4', '', 'GET', { 'en-US': 'Clock', de: 'Uhr' }],
    ['v4', 'de', 'PATCH', { 'en-US': 'Clock', de: 'Uhr' }],
  ] as const)('has all texts or one under %s with lang %s and %s', (version, lang, method, expected) => {
    expect(translated(name, view(version, lang, method))).toEqual(expected);
  });

  it('is null without a text', () => {
    expect([translated(null, view('v4', null)), translated(null, view('v4dev', 'de'))]).toEqual([null, null]);
  });
});

describe('a URL in a response', () => {
  it('has the API version of the request and encoded segments', () => {
    const view = viewOf('GET', 'v3', null, 'https://addons.example');
    expect(apiAddress(view, ['addons', '{a-b}', 'versions', '1.0+2'])).toBe(
      'https://addons.example/api/v3/addons/%7Ba-b%7D/versions/1.0+2/',
    );
    expect(apiAddress(view, ['file', 7, 'a b@c/d?.xpi'], '')).toBe(
      'https://addons.example/api/v3/file/7/a%20b@c%2Fd%3F.xpi',
    );
  });
});

describe('a text parameter', () => {
  it('refuses text that PostgreSQL cannot store', () => {
    const declared = textParam('A text.');
    expect([readParam(declared, 'Ä', 'q'), readParam(declared, null, 'q')]).toEqual(['Ä', null]);
    expect(() => readParam(declared, 'a\0b', 'q')).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ fields: { q: [beginningWith('Invalid "q" parameter. ')] } }),
      }),
    );
  });
});

describe('the OpenAPI documents', () => {
  it.each(DOCUMENTED_VERSIONS)(
    'of %s are printed as the routes are: node src/rest/print-openapi.ts',
    async (version) => {
      const printed = await readFile(join(import.meta.dirname, `../../docs/openapi/openapi-${version}.json`), 'utf8');
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(openApiDocument(version))));
    },
  );
});
