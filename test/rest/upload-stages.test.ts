import { describe, expect, it } from 'vitest';
import type { UploadFieldsFragment, UploadStage } from '../../src/generated/operations/graphql.ts';
import { uploadStatus } from '../../src/rest/json/signing.ts';
import { viewOf } from '../../src/rest/view.ts';

const view = viewOf('GET', 'v4', null, 'https://addons.example');
const row = (text: string) => text.split(' ').map((word) => word === 'yes');

/** The flags of an upload whose files are public once they are signed. */
function flagsOf(stage: UploadStage, channel: 'LISTED' | 'UNLISTED', isAvailable = stage === 'SIGNED') {
  const upload = { pk: '0'.repeat(32), guid: 'a@example', version: '1.0', channel, stage, isAvailable };
  const shown: UploadFieldsFragment = { ...upload, files: [], validation: null, validationUrl: 'https://x.example' };
  return uploadStatus.write(shown, view) as Record<string, unknown>;
}

describe('the flags of an upload', () => {
  // Columns: processed, valid, reviewed, passed_review, active.
  it.each([
    ['RECEIVED', row('no no no no no')],
    ['VALIDATING', row('no no no no no')],
    ['INVALID', row('yes no no no no')],
    ['VALID', row('yes yes no no no')],
    ['AWAITING_REVIEW', row('yes yes no no no')],
    ['SIGNING', row('yes yes no no no')],
    ['SIGNED', row('yes yes yes yes yes')],
    ['REJECTED', row('yes yes yes no no')],
    ['ERROR', row('yes no no no no')],
  ] as const)('are those of the contract at stage %s', (stage, expected) => {
    for (const channel of ['LISTED', 'UNLISTED'] as const) {
      const { processed, valid, reviewed, passed_review, active, automated_signing } = flagsOf(stage, channel);
      expect([processed, valid, reviewed, passed_review, active]).toEqual(expected);
      // Otherwise stock clients take an unlisted upload for one that waits for a manual review.
      expect(automated_signing).toBe(channel === 'UNLISTED');
    }
  });

  it('are not active when a file is disabled', () => {
    expect(flagsOf('SIGNED', 'LISTED', false)).toMatchObject({ active: false, reviewed: true, passed_review: true });
  });
});
