import { type Steps, withBreak } from '@kubewright/api/apply';
import { fieldErrors } from '@kubewright/api/schema';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import {
  draftOf,
  isObject,
  madeAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../../registry/objects/json-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../../registry/requests/request-context.js';
import { badRequest, conflict, failure, invalid } from '../../registry/requests/status-errors.js';
import { disruptionAllowed } from '../../controllers/guarantees/disruption-condition.js';
import { checkDryRun } from '../query-options.js';
import { deleteOptionsOf } from './eviction-options.js';
import type { VirtualRequest, VirtualResource } from '../access/virtual-resource.js';

const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
const mostDisrupted = 2000;
const retrySeconds = 10;
const bypassing: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'Pending']);
const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** The eviction subresource of a Pod: deletes the Pod if its PodDisruptionBudget allows the disruption. */
export const podEviction: VirtualResource = {
  path: '/pods/eviction',
  otherVersions: ['policy/v1beta1'],
  answer: function* (sent) {
    const { object, serving, info } = sent;
    const { name } = info;
    if (name === undefined || object.metadata.name !== name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    const request = { ...sent, context: { ...sent.context, dryRun: isDryRun(sent, name) } };
    const pods = serving.registry.builtIn('/v1/pods');
    const pod = pods.get({ namespace: info.namespace, name });
    const ignored = bypassing.has(stringAt(pod, 'status', 'phase')) || pod.metadata.deletionTimestamp !== undefined;
    if (!ignored) yield* checkBudget(pod, request);
    yield* evict(pod, request);
    return success;
  },
};

/** Returns whether the query or the options request a dry run. Throws for options that an eviction does not support. */
function isDryRun({ object, context }: VirtualRequest, name: string): boolean {
  const options = objectAt(object, 'deleteOptions');
  const field = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  if (options[field] === true) {
    const why = 'can not be set for pod eviction, try after removing the option';
    const kind = { group: 'policy', kind: 'Eviction', plural: '' };
    throw invalid(kind, name, [fieldErrors.invalid(`deleteOptions.${field}`, true, why)]);
  }
  const { dryRun } = deleteOptionsOf(options);
  if (context.dryRun && dryRun.length > 0 && dryRun.join(' ') !== 'All') {
    const found = `[All] and [${dryRun.join(' ')}]`;
    throw failure(500, '', { message: `Non-matching dry-run options in request and content: ${found}` });
  }
  return context.dryRun || dryRun.length > 0;
}

/** Sets the DisruptionTarget condition of the Pod and deletes the Pod. */
function* evict(pod: ApiObject, { serving, context, object }: VirtualRequest): Steps<void> {
  const pods = serving.registry.builtIn('/v1/pods');
  const options = deleteOptionsOf(objectAt(object, 'deleteOptions'));
  checkPreconditions(pod, options.preconditions);
  checkDryRun(options.dryRun);
  const write: RequestContext = { ...context, warnings: [], unreviewed: true };
  if (!context.dryRun) {
    const setDisruptionTarget = withBreak((live: ApiObject) => marked(live, serving.clock.now()));
    yield* pods.updateSteps(pod.metadata, setDisruptionTarget, { ...write, verb: 'update', subresource: 'status' });
  }
  const { resourceVersion: _, ...preconditions } = options.preconditions;
  const deletion = { ...options.delete, preconditions };
  yield* pods.deleteSteps(pod.metadata, deletion, { ...withoutSubresource(write), verb: 'delete' });
}

function withoutSubresource(context: RequestContext): RequestContext {
  const { subresource: _, ...rest } = context;
  return rest;
}

function checkPreconditions(
  { metadata }: ApiObject,
  { uid, resourceVersion }: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined },
): void {
  const subject = { group: '', kind: 'Pod', plural: 'Pod' };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`;
    throw conflict(subject, metadata.name, `${why}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion})`;
    throw conflict(subject, metadata.name, `${why}. The object might have been modified`);
  }
}

function marked(pod: ApiObject, now: Date): JsonObject {
  const next = draftOf(pod);
  const conditions = objectsAt(next, 'status', 'conditions').filter(({ type }) => type !== 'DisruptionTarget');
  madeAt(next, 'status')['conditions'] = [
    ...conditions,
    {
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: timestamp(now),
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    },
  ];
  return next;
}

/**
 * Checks the budget of the Pod, and counts the disruption in the budget if the request is not a dry run. Does nothing if no budget selects
 * the Pod, or if the budget does not protect the unready Pod. Throws 429 if the budget does not allow the disruption, 403 if the status of
 * the budget is invalid, and 500 if several budgets select the Pod.
 */
function* checkBudget(pod: ApiObject, request: VirtualRequest): Steps<void> {
  const budgets = request.serving.registry.builtIn('policy/v1/poddisruptionbudgets');
  const matching = budgets.list({ namespace: pod.metadata.namespace }).items.filter((budget) => selects(budget, pod));
  const [budget] = matching;
  if (budget === undefined) return;
  if (matching.length > 1) {
    throw failure(500, '', {
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  }
  if (!isReady(pod) && mayLoseUnready(budget)) return;
  checkAllowed(budget);
  if (request.context.dryRun) return;
  const now = timestamp(request.serving.clock.now());
  yield* budgets.updateSteps(
    budget.metadata,
    withBreak((live: ApiObject) => {
      // Another eviction may have used the budget since the first check.
      checkAllowed(live);
      const next = draftOf(live);
      const status = madeAt(next, 'status');
      const left = (numberAt(status, 'disruptionsAllowed') ?? 0) - 1;
      status['disruptionsAllowed'] = left;
      if (left === 0) status['conditions'] = [disruptionAllowed(live, status, { now })];
      madeAt(status, 'disruptedPods')[pod.metadata.name] = now;
      return next;
    }),
    { ...request.context, verb: 'update', subresource: 'status', warnings: [], unreviewed: true },
  );
}

function selects(budget: ApiObject, pod: ApiObject): boolean {
  const selector = objectAt(budget, 'spec')['selector'];
  return isObject(selector) && labelSelectorFromObject(selector).matches(pod.metadata.labels ?? {});
}

function isReady(pod: ApiObject): boolean {
  return objectsAt(pod, 'status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True');
}

/**
 * Returns whether a Pod that is not ready can be evicted without a check of the allowed disruptions: if the policy of the budget allows
 * this, or if enough other Pods are healthy.
 */
function mayLoseUnready(budget: ApiObject): boolean {
  if (stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  return desired > 0 && (numberAt(budget, 'status', 'currentHealthy') ?? 0) >= desired;
}

function checkAllowed(budget: ApiObject): void {
  const { name, generation = 0 } = budget.metadata;
  const count = (field: string): number => numberAt(budget, 'status', field) ?? 0;
  if (count('observedGeneration') < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, retrySeconds);
  }
  const allowed = count('disruptionsAllowed');
  const subject = { name, group: 'policy', kind: 'poddisruptionbudget' };
  const forbidden = (why: string): Error =>
    failure(403, 'Forbidden', {
      message: `poddisruptionbudget.policy "${name}" is forbidden: ${why}`,
      details: subject,
    });
  if (allowed < 0) throw forbidden('pdb disruptions allowed is negative');
  if (Object.keys(objectAt(budget, 'status', 'disruptedPods')).length > mostDisrupted) {
    throw forbidden('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed === 0) throw tooMany(reasonForNone(budget, count), 0);
}

function reasonForNone(budget: ApiObject, count: (field: string) => number): string {
  const subject = `The disruption budget ${budget.metadata.name}`;
  const condition = objectsAt(budget, 'status', 'conditions').find(({ type }) => type === 'DisruptionAllowed');
  const message = condition?.['status'] === 'False' ? stringAt(condition, 'message') : '';
  if (message !== '' && condition?.['reason'] === 'SyncFailed') {
    return `${subject} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  const [healthy, desired] = [count('currentHealthy'), count('desiredHealthy')];
  if (healthy <= desired) return `${subject} needs ${desired} healthy pods and has ${healthy} currently`;
  if (message !== '') {
    return `${subject} does not allow evicting pods currently (${stringAt(condition, 'reason')}): ${message}`;
  }
  return `${subject} does not allow evicting pods currently`;
}

function tooMany(message: string, retryAfterSeconds: number): Error {
  return failure(429, 'TooManyRequests', {
    message: refusal,
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
    },
  });
}
