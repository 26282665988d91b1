import { createRequire } from 'node:module';
import type { AdmissionCheck, AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectsAt, stringAt, valueAt } from '../../registry/objects/json-object.js';

const load = createRequire(import.meta.url);

const prefix = 'pod-security.kubernetes.io/';

/** The path of the Pod template in each kind of workload, by storage bucket. */
const templates: Readonly<Partial<Record<string, readonly string[]>>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/jobs': ['spec', 'template'],
};

/**
 * Enforces the level of the Pod Security Standards that the labels of the namespace declare. Throws 403 for a Pod that violates the
 * enforced level. Warns about Pods and workloads that violate the level of `warn`, which is the enforced level by default. Throws 422 for a
 * namespace with invalid labels, and warns about existing Pods that violate a new enforced level.
 */
export const podSecurity: AdmissionCheck = (request) => {
  const { operation, definition, object, old, context } = request;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
  if (definition.storageBucket === '/namespaces') {
    const isLabeled = hasLabels(object.metadata.labels) || hasLabels(old?.metadata.labels);
    if (context.subresource === undefined && isLabeled) rules().checkNamespace(request);
    return;
  }
  const path = templates[definition.storageBucket];
  if (path !== undefined) {
    const template = context.subresource === undefined ? valueAt(object, ...path) : undefined;
    if (isObject(template)) checkPod(request, template, false);
  } else if (definition.storageBucket === '/pods' && changesPod(request)) {
    checkPod(request, object, true);
  }
};

function checkPod(request: AdmissionRequest, pod: JsonObject, isEnforced: boolean): void {
  const namespace = request.registry.builtIn('/v1/namespaces').find({ name: request.key.namespace ?? '' });
  const labels = namespace?.metadata.labels;
  if (labels !== undefined && hasLabels(labels)) rules().checkPod(request, { pod, labels, isEnforced });
}

function hasLabels(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels !== undefined && Object.keys(labels).some((label) => label.startsWith(prefix));
}

/** Most namespaces have no levels, so the rules are loaded on demand. */
function rules(): typeof import('./pod-security-rules.js') {
  return load('./pod-security-rules.js') as typeof import('./pod-security-rules.js');
}

/** Whether a write of a Pod creates the Pod, or changes its containers or their images. */
function changesPod({ operation, object, old, context: { subresource } }: AdmissionRequest): boolean {
  if (operation === 'CREATE') return subresource === undefined;
  if (subresource === 'status') return false;
  const imagesOf = (pod: unknown, field: string): readonly string[] =>
    objectsAt(pod, 'spec', field).map((container) => stringAt(container, 'image'));
  const isSame = (field: string): boolean => {
    const [next, before] = [imagesOf(object, field), imagesOf(old, field)];
    return next.length === before.length && next.every((image, at) => image === before[at]);
  };
  return !['containers', 'initContainers', 'ephemeralContainers'].every(isSame);
}
