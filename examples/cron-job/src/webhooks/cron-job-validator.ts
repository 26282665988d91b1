import { type AdmissionContext, Validator, type Violation } from '@kubewright/api';
import { messageOf } from '@kubewright/api/errors';
import { CronJob } from '../api/v1/cron-job.js';
import { parseCron } from '../cron-format.js';

/** The names of Jobs have at most 63 characters. The controller appends 11 characters to the name of the CronJob. */
const MAX_NAME_LENGTH = 63 - 11;

@Validator({ for: CronJob })
export class CronJobValidator implements Validator<CronJob> {
  validate({ spec }: CronJob, _old: CronJob | undefined, { name }: Pick<AdmissionContext, 'name'>): Violation[] {
    const violations: Violation[] = [];
    if (name.length > MAX_NAME_LENGTH) {
      violations.push({ field: 'metadata.name', message: `must have at most ${MAX_NAME_LENGTH} characters` });
    }
    try {
      parseCron(spec.schedule);
    } catch (error) {
      violations.push({ field: 'spec.schedule', message: messageOf(error) });
    }
    return violations;
  }
}
