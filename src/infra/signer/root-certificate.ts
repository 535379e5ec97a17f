import { join } from 'node:path';
import { config } from '../../config.ts';
import { loadRootPem } from './certificate-file.ts';

/** Where the development CA of this installation lies. */
export function developmentCaFolder(): string {
  return join(config.DATA_DIR, 'ca');
}

/**
 * The root certificate (PEM) that the signed files of this installation chain up to: the operator's, or the development
 * CA's; null until that has been made. Needs no key.
 */
export function readRootPem(): Promise<string | null> {
  return loadRootPem({ chainFile: config.SIGNING_CHAIN_FILE, developmentDirectory: developmentCaFolder() });
}
