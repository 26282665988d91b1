import { deepEqual } from '@kubewright/api/patch';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import { objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { forbidden } from '../registry/requests/status-errors.js';
import { nodeNameOf } from '../registry/requests/user.js';

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const restrictedLabels = 'node-restriction.kubernetes.io';
const kubeletLabels = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);
const kubeletLabelDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/**
 * Restricts the writes of kubelets like the admission plugin NodeRestriction. A kubelet can only write its own Node, its Lease and its
 * CSINode, the status of the Pods on its node, and mirror Pods. Throws 403 for other writes.
 */
export const nodeRestriction: AdmissionCheck = (request) => {
  const node = nodeNameOf(request.context.user);
  if (node === undefined) return;
  const { definition, key } = request;
  const why =
    node === ''
      ? `could not determine node from user ${JSON.stringify(request.context.user.name)}`
      : restrictions[`${definition.group}/${definition.plural}`]?.(node, request);
  if (why !== undefined) throw forbidden(definition, key.name, { why });
};

/** Returns the reason why a node cannot send a request, or undefined. */
type Restriction = (node: string, request: AdmissionRequest) => string | undefined;

const restrictions: Readonly<Partial<Record<string, Restriction>>> = {
  '/pods': pods,
  '/nodes': nodes,
  '/persistentvolumeclaims': (_, { context }) =>
    context.subresource === 'status' ? undefined : 'may only update PVC status',
  'coordination.k8s.io/leases': (node, { key }) => {
    if (key.namespace !== 'kube-node-lease') {
      return 'can only access leases in the "kube-node-lease" system namespace';
    }
    return key.name === node ? undefined : 'can only access node lease with the same name as the requesting node';
  },
  'storage.k8s.io/csinodes': (node, { key }) =>
    key.name === node ? undefined : 'can only access CSINode with the same name as the requesting node',
  'resource.k8s.io/resourceslices': (node, { operation, object, old }) => {
    if (operation !== 'CREATE' && operation !== 'DELETE') return undefined;
    if (stringAt(object ?? old, 'spec', 'nodeName') === node) return undefined;
    return `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
  },
};

function pods(node: string, { operation, context, object, old }: AdmissionRequest): string | undefined {
  const name = JSON.stringify(node);
  const { subresource } = context;
  if (subresource === 'status') {
    if (operation !== 'UPDATE') return `unexpected operation ${JSON.stringify(operation)}`;
    if (stringAt(old, 'spec', 'nodeName') !== node) {
      return `node ${name} can only update pod status for pods with spec.nodeName set to itself`;
    }
    const isSame = deepEqual(object?.metadata.labels ?? {}, old?.metadata.labels ?? {});
    return isSame ? undefined : `node ${name} cannot update labels through pod status`;
  }
  if (subresource === 'eviction') return undefined;
  if (subresource !== undefined) {
    return `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`;
  }
  if (operation === 'CREATE') return mirrorPod(node, object);
  if (operation !== 'DELETE') {
    return `unexpected operation ${JSON.stringify(operation)}, node ${name} can only create and delete mirror pods`;
  }
  const isOwn = stringAt(old, 'spec', 'nodeName') === node;
  return isOwn ? undefined : `node ${name} can only delete pods with spec.nodeName set to itself`;
}

function mirrorPod(node: string, pod: AdmissionRequest['object']): string | undefined {
  const name = JSON.stringify(node);
  const { annotations, ownerReferences = [] } = pod?.metadata ?? {};
  if (annotations?.[mirrorAnnotation] === undefined) {
    return `pod does not have ${JSON.stringify(mirrorAnnotation)} annotation, node ${name} can only create mirror pods`;
  }
  const can = (what: string): string => `node ${name} can only create pods with ${what} set to itself`;
  if (stringAt(pod, 'spec', 'nodeName') !== node) return can('spec.nodeName');
  if (ownerReferences.length > 1) return can('a single owner reference');
  const [owner] = ownerReferences;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) return can('an owner reference');
  if (owner.controller !== true) return can('a controller owner reference');
  if (owner.blockOwnerDeletion === true) {
    return `node ${name} must not set blockOwnerDeletion on an owner reference`;
  }
  return undefined;
}

function nodes(node: string, { operation, object, old, key }: AdmissionRequest): string | undefined {
  const name = JSON.stringify(node);
  if (key.name !== node) return `node ${name} is not allowed to modify node ${JSON.stringify(key.name)}`;
  if (object === undefined) return undefined;
  const labels = forbiddenLabels(object.metadata.labels ?? {}, old?.metadata.labels ?? {}).join(', ');
  if (operation === 'CREATE') {
    return labels === '' ? undefined : `node ${name} is not allowed to set the following labels: ${labels}`;
  }
  const taints = (value: unknown): unknown => objectsAt(objectAt(value, 'spec'), 'taints');
  if (!deepEqual(taints(object), taints(old))) return `node ${name} is not allowed to modify taints`;
  if (!deepEqual(object.metadata.ownerReferences ?? [], old?.metadata.ownerReferences ?? [])) {
    return `node ${name} is not allowed to modify ownerReferences`;
  }
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
}

/** Returns the changed labels that a kubelet cannot set, in order. */
function forbiddenLabels(
  next: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): readonly string[] {
  const changed = [...new Set([...Object.keys(next), ...Object.keys(before)])].filter(
    (label) => next[label] !== before[label],
  );
  return changed.filter(isForbidden).toSorted();
}

function isForbidden(label: string): boolean {
  const domain = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
  if (isWithin(domain, restrictedLabels)) return true;
  if (!isWithin(domain, 'kubernetes.io') && !isWithin(domain, 'k8s.io')) return false;
  return !kubeletLabels.has(label) && !kubeletLabelDomains.some((known) => isWithin(domain, known));
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
