import type { StoredFileError } from '../../infra/blob-store/stored-file-error.ts';
import { type Message, message } from '../../texts/messages.ts';

/** Why an upload ends in `error` when the store no longer has the bytes of its package: neither a validator nor the signer may use others. */
export const unusableReason = ({ problem }: StoredFileError): Message =>
  message(problem === 'lost' ? 'package.lost' : 'package.replaced');
