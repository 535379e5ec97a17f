/* The events of webhooks, and the actions of the activity log that cause them. */
import { ACTIONS, type ActivityAction } from '../activity/actions.ts';

type Facts = (typeof ACTIONS)[ActivityAction];
/** The name of an event, such as `version.signed`. */
export type WebhookEvent = Extract<Facts, { webhook: string }>['webhook'];

/** Every event, with its description. */
export const EVENT_DESCRIPTIONS: Readonly<Record<WebhookEvent, string>> = {
  'version.received': 'A version was uploaded or submitted.',
  'version.valid': 'The validation of a version found no error.',
  'version.invalid': 'The validation of a version found errors.',
  'version.error': 'A version could not be validated or signed.',
  'version.review_requested': 'A version waits for a reviewer.',
  'version.information_requested': 'A reviewer has a question about a version.',
  'version.approved': 'A reviewer has approved a version, which is signed next.',
  'version.rejected': 'A reviewer has rejected a version.',
  'version.signing': 'A version is being signed.',
  'version.signed': 'A version is signed; a listed one is public.',
  'version.disabled': 'Developers have disabled a version.',
  'version.enabled': 'Developers have enabled a version.',
  'version.deleted': 'A version was deleted.',
  'addon.created': 'An add-on was created.',
  'addon.disabled': 'Developers or the operator have disabled an add-on.',
  'addon.enabled': 'An add-on was enabled.',
  'addon.deleted': 'An add-on was deleted.',
  'addon.revived': 'A deleted add-on is back.',
};

const eventByAction = new Map<string, WebhookEvent>(
  Object.entries(ACTIONS).flatMap(([action, facts]) => ('webhook' in facts ? [[action, facts.webhook] as const] : [])),
);

/** The actions that cause one of these events. */
export const actionsOf = (events: readonly WebhookEvent[]): string[] =>
  [...eventByAction].filter(([, event]) => events.includes(event)).map(([action]) => action);

/** The event of an action. @throws for one that causes none. */
export function eventOf(action: string): WebhookEvent {
  const event = eventByAction.get(action);
  if (event === undefined) throw new Error(`The action ${action} has no event.`);
  return event;
}

/** The events that these actions cause, in the order of the table. */
export function eventsOfActions(actions: readonly string[]): WebhookEvent[] {
  const caused = new Set(actions.map((action) => eventByAction.get(action)));
  return (Object.keys(EVENT_DESCRIPTIONS) as WebhookEvent[]).filter((event) => caused.has(event));
}
