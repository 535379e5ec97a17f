import type { Application } from '../../package/words.ts';

/** The numeric id of an application in REST, and its guid in manifests. */
export interface ApplicationIds {
  id: number;
  guid: string;
}

/** Fixed ids of the applications (contract, Compat override item). File formats and clients depend on them. */
export const APPLICATION_IDS: Readonly<Record<Application, ApplicationIds>> = {
  desktop_browser: { id: 1, guid: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}' },
  mail_client: { id: 18, guid: '{3550f703-e582-4d05-9a08-453d09bdfdc6}' },
  suite_app: { id: 59, guid: '{92650c4d-4b8e-4d2a-b7eb-24ecf4f6b63a}' },
  mobile_browser: { id: 61, guid: '{aa3c5121-dab2-40e2-81ca-7ea25febc110}' },
};
