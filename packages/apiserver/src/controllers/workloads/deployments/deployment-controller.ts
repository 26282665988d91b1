import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt, valueAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { controllerKey } from '../../objects/controller-reference.js';
import { type OwnerKind, queueOwners } from '../pods/owner-queue.js';
import { isRecreate } from './deployment-limits.js';
import { currentSet } from './deployment-revisions.js';
import { rollBack, rollbackOf } from './deployment-rollback.js';
import { forgetOldRevisions, recreate, rollOut } from './deployment-rollout.js';
import { isScaled, scale } from './deployment-scale.js';
import { countedStatus, writeRolloutStatus } from './deployment-status.js';
import { DeploymentWork } from './deployment-work.js';

const owner: OwnerKind = {
  bucket: 'apps/deployments',
  group: 'apps',
  kind: 'Deployment',
  controls: ['apps/replicasets'],
};

/**
 * Maintains one ReplicaSet for each template of a Deployment, and replaces the Pods of old ReplicaSets with Pods of the newest ReplicaSet.
 */
export class DeploymentController implements Controller {
  readonly name = 'deployment-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    const { type, bucket, object } = event;
    queueOwners(event, owner, { index: this.#setting.index, queue });
    // A Deployment with the strategy Recreate waits until its last old Pod is deleted.
    if (bucket === '/pods' && type === 'DELETED') this.#addRecreating(object, queue);
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const deployment = this.#setting.registry.builtIn('apps/v1/deployments').find(parseKey(key));
    if (deployment === undefined) return;
    const work = new DeploymentWork(this.#setting, deployment);
    if (work.selectsAll) {
      work.say('Warning', 'SelectingAll', 'This deployment is selecting all pods. A non-empty selector is required.');
      yield* work.writeStatus({
        ...copyJson(objectAt(deployment, 'status')),
        observedGeneration: deployment.metadata.generation,
      });
      return;
    }
    yield* work.claim();
    if (deployment.metadata.deletionTimestamp !== undefined) {
      yield* currentSet(work, { create: false });
      yield* work.writeStatus(yield* countedStatus(work));
      return;
    }
    const stuckInMs = yield* this.#advance(work);
    if (stuckInMs !== undefined) queue.addAfter(key, stuckInMs);
  }

  /**
   * Performs one step toward the desired state. Returns the milliseconds until the progress deadline, or undefined if no deadline is
   * pending.
   */
  *#advance(work: DeploymentWork): Steps<number | undefined> {
    yield* markPaused(work);
    const paused = isPaused(work.deployment);
    const revision = rollbackOf(work.deployment);
    if (!paused && revision !== undefined) {
      yield* currentSet(work, { create: true });
      yield* rollBack(work, revision);
      return undefined;
    }
    if (paused || isScaled(work)) {
      yield* currentSet(work, { create: false });
      yield* scale(work);
      if (paused) yield* forgetOldRevisions(work);
      yield* work.writeStatus(yield* countedStatus(work));
      return undefined;
    }
    if (isRecreate(work.deployment)) yield* recreate(work);
    else yield* rollOut(work);
    return yield* writeRolloutStatus(work);
  }

  #addRecreating(pod: ApiObject, queue: KeyQueue): void {
    const key = controllerKey(pod, { group: 'apps', kind: 'ReplicaSet' });
    const set =
      key === undefined ? undefined : this.#setting.registry.builtIn('apps/v1/replicasets').find(parseKey(key));
    const deployment = set === undefined ? undefined : controllerKey(set, owner);
    if (deployment !== undefined) queue.add(deployment);
  }
}

function isPaused(deployment: ApiObject): boolean {
  return valueAt(deployment, 'spec', 'paused') === true;
}

/** Sets the condition for a paused or resumed rollout, so that a pause does not count toward the progress deadline. */
function* markPaused(work: DeploymentWork): Steps<void> {
  if (!work.hasDeadline) return;
  const progress = objectsAt(work.deployment, 'status', 'conditions').find(({ type }) => type === 'Progressing');
  if (progress?.['reason'] === 'ProgressDeadlineExceeded') return;
  const isReportedPaused = progress?.['reason'] === 'DeploymentPaused';
  const paused = isPaused(work.deployment);
  if (isReportedPaused === paused) return;
  const text = paused
    ? { reason: 'DeploymentPaused', message: 'Deployment is paused' }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  yield* work.setCondition({ type: 'Progressing', status: 'Unknown', ...text });
}
