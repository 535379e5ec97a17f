import type { AddonDocument } from './addon-document.ts';

/**
 * Whether today's clients can install a file of the current version: it is stored here, and a WebExtension. Personas have no file, and
 * formats before WebExtensions run in old clients only.
 */
export const hasInstallableFile = ({ currentVersion }: Pick<AddonDocument, 'currentVersion'>): boolean =>
  currentVersion?.files.some(({ isStored, isWebextension }) => isStored && isWebextension) ?? false;
