import type { Steps } from '@kubewright/api/apply';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { controllerKey } from '../../objects/controller-reference.js';
import { CronJobWork } from './cron-job-work.js';

/** Creates the Jobs of CronJobs on schedule. */
export class CronJobController implements Controller {
  readonly name = 'cronjob-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === 'batch/cronjobs' && type !== 'DELETED') queue.add(keyText(object.metadata));
    if (bucket !== 'batch/jobs') return;
    const key = controllerKey(object, { group: 'batch', kind: 'CronJob' });
    if (key !== undefined) queue.add(key);
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const cronJob = this.#setting.registry.builtIn('batch/v1/cronjobs').find(parseKey(key));
    if (cronJob === undefined) return;
    const nextInMs = yield* new CronJobWork(this.#setting, cronJob).advance();
    if (nextInMs !== undefined) queue.addAfter(key, nextInMs);
  }
}
