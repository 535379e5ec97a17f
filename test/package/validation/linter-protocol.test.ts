import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/package/validation/linter-protocol.ts';

const error = { _type: 'error', code: 'A' };
const warning = { _type: 'warning', code: 'B' };
const clean = { errors: 0, warnings: 0, notices: 0, metadata: {}, messages: [] };

describe('a report of the linter', () => {
  it.each([
    ['nothing found', clean],
    ['a message of each count', { ...clean, errors: 1, warnings: 1, messages: [error, warning] }],
    ['more messages than requested', { ...clean, errors: 7, messages: [error, error, error] }],
    ['an archive that cannot be opened', { ...clean, errors: 1, metadata: null, messages: [error] }],
  ])('is accepted with %s', (_what, report) => {
    expect(readReport(report, 3)).toEqual({ ...report, metadata: {} });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', [clean]],
    ['no counts', {}],
    ['a missing count', { ...clean, errors: undefined }],
    ['a count that is text', { ...clean, errors: '0' }],
    ['a count that is no number', { ...clean, errors: Number.NaN }],
    ['a negative count', { ...clean, errors: -1 }],
    ['half an error', { ...clean, errors: 0.5 }],
    ['no messages', { ...clean, messages: undefined }],
    ['errors without their messages', { ...clean, errors: 1 }],
    ['messages without their errors', { ...clean, messages: [error] }],
    ['an error counted as a warning', { ...clean, warnings: 1, messages: [error] }],
    ['a message without a code', { ...clean, warnings: 1, messages: [{ _type: 'warning' }] }],
    ['a message of an unknown type', { ...clean, warnings: 1, messages: [{ _type: 'fatal', code: 'A' }] }],
    ['no errors, but no metadata either', { ...clean, metadata: null }],
  ])('is refused with %s', (_what, report) => {
    expect(readReport(report, 3)).toBeNull();
  });
});
