import { deepEqual } from '@kubewright/api/patch';
import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import { objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { forbidden } from '../registry/requests/status-errors.js';
import { nodeNameOf, nodeUserPrefix } from '../registry/requests/user.js';
import { withoutEmpty } from '../registry/decoding/go-form.js';
import type { ApiObject, IncomingObject } from '../registry/objects/api-object.js';
import {
  certificateRequestError,
  parseCertificateRequest,
} from '../registry/strategies/certificates/certificate-request.js';
import { podRestriction } from './node-pod-restriction.js';
import { tokenRestriction } from './node-token-restriction.js';

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
const kubeletSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];
const kubeletLabelDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/**
 * Returns a check that restricts the writes of kubelets like the admission plugin NodeRestriction. Of the following kinds, a kubelet can
 * only write the listed objects. The check throws 403 for all other objects of these kinds:
 * - its own Node, Lease, CSINode, ResourceSlices, or a request for its own certificate
 * - a mirror Pod, or the status, an eviction, or a token of a Pod on its node
 * - the status of a claim
 */
export function nodeRestriction(authorizer: Authorizer): AdmissionCheck {
  return (request) => {
    const node = nodeNameOf(request.context.user);
    if (node === undefined) return;
    const { definition, key } = request;
    const why =
      node === ''
        ? `could not determine node from user ${JSON.stringify(request.context.user.name)}`
        : restrictions[`${definition.group}/${definition.plural}`]?.(node, request, authorizer);
    if (why !== undefined) throw forbidden(definition, key.name, { why });
  };
}

/** Returns the reason why the server rejects a request of a node, or undefined. */
type Restriction = (node: string, request: AdmissionRequest, authorizer: Authorizer) => string | undefined;

const restrictions: Readonly<Partial<Record<string, Restriction>>> = {
  '/pods': podRestriction,
  '/nodes': nodes,
  '/serviceaccounts': tokenRestriction,
  '/persistentvolumeclaims': claims,
  'certificates.k8s.io/certificatesigningrequests': certificateRequests,
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

function claims(node: string, { context, definition, object, old }: AdmissionRequest): string | undefined {
  if (context.subresource !== 'status') return 'may only update PVC status';
  if (object === undefined || old === undefined) return undefined;
  if (deepEqual(unrestricted(withoutEmpty(object, definition)), unrestricted(old))) return undefined;
  return `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

/** Returns a claim without the fields that a kubelet can write. */
function unrestricted({ metadata, ...claim }: IncomingObject | ApiObject): object {
  const {
    capacity: _,
    conditions: __,
    allocatedResources: ___,
    allocatedResourceStatuses: ____,
    ...status
  } = objectAt(claim, 'status');
  return { ...claim, metadata: { ...metadata, resourceVersion: null, managedFields: null }, status };
}

function certificateRequests(node: string, { operation, object }: AdmissionRequest): string | undefined {
  if (operation !== 'CREATE' || !kubeletSigners.includes(stringAt(object, 'spec', 'signerName'))) return undefined;
  const request = stringAt(object, 'spec', 'request');
  const parsed = parseCertificateRequest(request);
  if (parsed === undefined) return `unable to parse csr: ${certificateRequestError(request)}`;
  const name = `${nodeUserPrefix}${node}`;
  return parsed.commonName === name ? undefined : `can only create a node CSR with CN=${name}`;
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

/** Returns the changed labels that a kubelet cannot set, in alphabetical order. */
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
