import { signCheckpoint } from '../../domain/activity/checkpoints.ts';
import { log } from '../../infra/log.ts';

/** Signs a checkpoint of the logs. A refusal needs an operator, so that the job does not try again before its next occurrence. */
export async function signHourlyCheckpoint(): Promise<void> {
  try {
    await signCheckpoint();
  } catch (error) {
    log.alert({ err: error }, 'No checkpoint of the logs was signed.');
  }
}
