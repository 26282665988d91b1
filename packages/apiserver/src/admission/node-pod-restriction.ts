import { deepEqual } from '@kubewright/api/patch';
import type { AdmissionRequest } from '../registry/admission/admission-check.js';
import type { JsonObject } from '../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { notFound } from '../registry/requests/status-errors.js';
import { mirrorAnnotation } from '../registry/strategies/rules/mirror-pod.js';
import { configMapsOf } from '../registry/strategies/rules/pod-references.js';

/** Returns the reason why a node cannot write or evict a Pod, or undefined if the node can. Throws 404 if the Pod or the node is absent. */
export function podRestriction(node: string, request: AdmissionRequest): string | undefined {
  const name = JSON.stringify(node);
  const { operation, context, object, old, registry, key } = request;
  const { subresource } = context;
  if (subresource === 'status') return statusRestriction(node, request);
  if (subresource === 'eviction') {
    const pod = registry.builtIn('/v1/pods').find(key);
    if (pod === undefined) throw notFound({ group: '', kind: 'Pod', plural: 'pod' }, key.name);
    const isOwn = stringAt(pod, 'spec', 'nodeName') === node;
    return isOwn ? undefined : `node ${node} can only evict pods with spec.nodeName set to itself`;
  }
  if (subresource !== undefined) {
    return `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`;
  }
  if (operation === 'CREATE') return object === undefined ? undefined : mirrorPod(node, request);
  if (operation !== 'DELETE') {
    return `unexpected operation ${JSON.stringify(operation)}, node ${name} can only create and delete mirror pods`;
  }
  const isOwn = stringAt(old, 'spec', 'nodeName') === node;
  return isOwn ? undefined : `node ${name} can only delete pods with spec.nodeName set to itself`;
}

function statusRestriction(node: string, { operation, object, old }: AdmissionRequest): string | undefined {
  const name = JSON.stringify(node);
  if (operation !== 'UPDATE') return `unexpected operation ${JSON.stringify(operation)}`;
  if (stringAt(old, 'spec', 'nodeName') !== node) {
    return `node ${name} can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (!deepEqual(object?.metadata.labels ?? {}, old?.metadata.labels ?? {})) {
    return `node ${name} cannot update labels through pod status`;
  }
  const claims = (pod: unknown): readonly object[] =>
    objectsAt(pod, 'status', 'resourceClaimStatuses').map(({ name: claim, resourceClaimName = null }) => ({
      claim,
      resourceClaimName,
    }));
  // The misspelled word is part of the message of kube-apiserver.
  if (!deepEqual(claims(object), claims(old))) return `node ${name} cannot update resource claim statues`;
  const extended = (pod: unknown): unknown => objectAt(pod, 'status')['extendedResourceClaimStatus'] ?? null;
  if (!deepEqual(extended(object), extended(old))) return `node ${name} cannot update extended resource claim status`;
  return undefined;
}

function mirrorPod(node: string, { object: pod, registry }: AdmissionRequest): string | undefined {
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
  const found = registry.builtIn('/v1/nodes').find({ name: node });
  if (found === undefined) throw notFound({ group: '', kind: 'Node', plural: 'node' }, node);
  const { uid } = found.metadata;
  if (owner.uid !== uid) return `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
  const kind = referencedKind(objectAt(pod, 'spec'));
  return kind === undefined ? undefined : `node ${name} can not create pods that reference ${kind}`;
}

/**
 * Returns the kind of an API object that a mirror Pod references, as errors name the kind, or undefined. The plugin ServiceAccount has
 * already rejected references to ServiceAccounts and Secrets.
 */
function referencedKind(spec: JsonObject): string | undefined {
  if (configMapsOf(spec).size > 0) return 'configmaps';
  if (objectsAt(spec, 'resourceClaims').length > 0) return 'resourceclaims';
  for (const volume of objectsAt(spec, 'volumes')) {
    const found = volumeKinds.find(([field]) => volume[field] !== undefined);
    if (found !== undefined) return found[1];
    for (const source of objectsAt(volume, 'projected', 'sources')) {
      if (source['clusterTrustBundle'] !== undefined) return 'clustertrustbundles';
      if (source['podCertificate'] !== undefined) return 'podcertificates';
    }
  }
  return undefined;
}

/** The fields of a volume that reference API objects, and the kinds of these objects as errors name them. */
const volumeKinds = [
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
] as const;
