import { describe, expect, it } from 'vitest';
import {
  FAILED_STAGES,
  FINAL_STAGES,
  nextStep,
  STAGES,
  showsFiles,
  uploadFlags,
} from '../../../src/domain/signing/stages.ts';

const row = (text: string) => text.split(' ').map((word) => word === 'yes');

describe('uploadFlags', () => {
  // Columns: processed, valid, reviewed, passedReview, active.
  it.each([
    ['received', row('no no no no no')],
    ['validating', row('no no no no no')],
    ['invalid', row('yes no no no no')],
    ['valid', row('yes yes no no no')],
    ['awaiting_review', row('yes yes no no no')],
    ['signing', row('yes yes no no no')],
    ['signed', row('yes yes yes yes yes')],
    ['rejected', row('yes yes yes no no')],
    ['error', row('yes no no no no')],
  ] as const)('%s', (stage, expected) => {
    for (const channel of ['listed', 'unlisted'] as const) {
      const flags = uploadFlags(stage, channel, true);
      expect([flags.processed, flags.valid, flags.reviewed, flags.passedReview, flags.active]).toEqual(expected);
      expect(flags.automatedSigning).toBe(channel === 'unlisted');
    }
  });

  it('is not active when a file is disabled', () => {
    expect(uploadFlags('signed', 'listed', false)).toMatchObject({ active: false, reviewed: true, passedReview: true });
  });

  it('never has a combination that stock clients interpret as manual review of an unlisted upload', () => {
    for (const stage of STAGES) {
      const { valid, automatedSigning } = uploadFlags(stage, 'unlisted', true);
      expect(valid && !automatedSigning).toBe(false);
    }
  });
});

describe('stages', () => {
  it('show files after the package passed validation', () => {
    expect(STAGES.filter(showsFiles)).toEqual(['valid', 'awaiting_review', 'signing', 'signed', 'rejected']);
  });

  it('of failed uploads are final', () => {
    expect(FINAL_STAGES).toEqual(expect.arrayContaining([...FAILED_STAGES]));
  });

  it('have a next step, which depends on the channel in stage valid', () => {
    for (const stage of STAGES) {
      for (const channel of ['listed', 'unlisted'] as const) expect(nextStep(stage, channel)).toMatch(/\.$/);
    }
    expect(nextStep('valid', 'listed')).not.toBe(nextStep('valid', 'unlisted'));
  });
});
