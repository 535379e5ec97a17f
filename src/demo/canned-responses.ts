/* Texts that the reviewers of the demo reuse. */
import type { AuditActor } from '../domain/activity/record-audit.ts';
import { createCannedResponse } from '../domain/reviewing/keep-canned-responses.ts';
import { db } from '../infra/db.ts';

const CANNED_RESPONSES: readonly { name: string; text: Record<string, string> }[] = [
  {
    name: 'Privacy: undeclared data',
    text: {
      'en-US': 'The add-on sends data that its manifest does not declare. Please declare it, or remove the request.',
      de: 'Das Add-on sendet Daten, die sein Manifest nicht angibt. Bitte geben Sie sie an, oder entfernen Sie die Anfrage.',
    },
  },
  {
    name: 'Permissions: unused',
    text: {
      'en-US': 'Please remove the permissions that the code does not use.',
      de: 'Bitte entfernen Sie die Berechtigungen, die der Code nicht benutzt.',
    },
  },
  {
    name: 'Source code: missing',
    text: {
      'en-US': 'The code is minified. Please attach its source code, with the steps that build this package from it.',
      de: 'Der Code ist minifiziert. Bitte fügen Sie seinen Quellcode an, mit den Schritten, die daraus dieses Paket bauen.',
    },
  },
];

/** Adds the texts unless there are any. */
export async function addCannedResponses(actor: AuditActor): Promise<void> {
  if ((await db.cannedResponse.count()) > 0) return;
  for (const { name, text } of CANNED_RESPONSES) {
    const translations = Object.entries(text).map(([locale, value]) => ({ locale, value }));
    await createCannedResponse(actor, { name, text: translations });
  }
}
