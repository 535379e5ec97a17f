/* What the developers of an add-on do next, from the same facts and reasons as its visibility. */
import type { HubAddonFacts, HubVersionFacts } from './addon-facts.ts';
import { approvalReasons, type VisibilityCode } from './visibility-reasons.ts';

/** A step, in the order in which the first one that applies is chosen. */
export type NextStepName =
  | 'contact-operator'
  | 'reply'
  | 'fix-package'
  | 'read-decision'
  | 'enable-addon'
  | 'wait-for-validation'
  | 'wait-for-signing'
  | 'wait-for-review'
  | 'nothing'
  | 'distribute'
  | 'submit-version'
  | 'enable-version'
  | 'replace-version'
  | 'change-theme';

/** A step, and the version that it is about; null when it concerns the whole add-on. */
export interface NextStep {
  step: NextStepName;
  version: HubVersionFacts | null;
}

/** Whether a step is for the developers, for the service and its reviewers, or for neither. */
export type WorkState = 'action' | 'waiting' | 'done';

/** Who has to do something next. */
export function workStateOf(step: NextStepName): WorkState {
  if (step === 'nothing' || step === 'distribute') return 'done';
  return step.startsWith('wait-') ? 'waiting' : 'action';
}

/** The step for each reason why the catalogue does not show an add-on. */
const STEP_OF_REASON: Readonly<Record<VisibilityCode, NextStepName>> = {
  deleted: 'contact-operator',
  disabled_by_operator: 'contact-operator',
  disabled_by_developers: 'enable-addon',
  no_version: 'submit-version',
  only_unlisted_versions: 'distribute',
  processing: 'wait-for-validation',
  invalid: 'fix-package',
  failed: 'fix-package',
  awaiting_review: 'wait-for-review',
  information_requested: 'reply',
  signing: 'wait-for-signing',
  uploader_disabled: 'contact-operator',
  rejected: 'read-decision',
  version_disabled: 'enable-version',
  version_withdrawn: 'replace-version',
  version_without_file: 'replace-version',
  not_approved: 'replace-version',
};

const whole = (step: NextStepName): NextStep => ({ step, version: null });

/** What the developers of an add-on do next. The newest version comes first, whatever its channel. */
export function nextStepOf(addon: HubAddonFacts): NextStep {
  const { versions, type, status } = addon;
  const [newest = null] = versions;
  const isPersona = type === 'persona';
  if (status === 'disabled' || status === 'deleted') return whole('contact-operator');
  const asked = versions.find(({ isInformationRequested }) => isInformationRequested);
  if (asked !== undefined || addon.questions.length > 0) return { step: 'reply', version: asked ?? null };
  if (newest?.stage === 'invalid' || newest?.stage === 'error') return { step: 'fix-package', version: newest };
  if (newest?.stage === 'rejected') return { step: 'read-decision', version: newest };
  if (isPersona && status === 'rejected') return whole('read-decision');
  if (addon.isDisabledByDeveloper) return whole('enable-addon');
  const waiting = newest === null ? null : waitingStep(newest);
  if (waiting !== null) return { step: waiting, version: newest };
  if (addon.isSearchable) return whole('nothing');
  return stepOfReasons(addon);
}

/** The step for a version that is on its way; null for others. */
function waitingStep({
  stage,
  channel,
  isUploaderDisabled,
  isDisabledByDevelopers,
}: HubVersionFacts): NextStepName | null {
  if (stage === 'received' || stage === 'validating') return 'wait-for-validation';
  if (stage === 'valid' || stage === 'signing') {
    if (isUploaderDisabled) return 'contact-operator';
    return stage === 'valid' && channel === 'listed' ? 'wait-for-validation' : 'wait-for-signing';
  }
  return stage === 'awaiting_review' && !isDisabledByDevelopers ? 'wait-for-review' : null;
}

function stepOfReasons(addon: HubAddonFacts): NextStep {
  const [reason] = approvalReasons(addon);
  if (reason === undefined) return whole('nothing');
  if (reason.code === 'only_unlisted_versions') return unlistedStep(addon);
  if (reason.code === 'not_approved' && addon.type === 'persona') return whole('change-theme');
  const own = approvalReasons(addon).find(({ code }) => code === 'version_disabled') ?? reason;
  return { step: STEP_OF_REASON[own.code], version: own.version };
}

/** The step for an add-on with unlisted versions alone, the newest of which is signed. */
function unlistedStep({ versions, available }: HubAddonFacts): NextStep {
  const [newest = null] = versions;
  if (available.some(({ channel }) => channel === 'unlisted')) return { step: 'distribute', version: newest };
  const step = newest?.isDisabledByDevelopers ? 'enable-version' : 'replace-version';
  return { step, version: newest };
}
