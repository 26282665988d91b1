import type { Store } from '../storage/store.js';
import type { ApiObject } from '../storage/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { isMirrorPod } from '../registry/strategies/rules/mirror-pod.js';
import { claimOf, configMapsOf, secretsOf } from '../registry/strategies/rules/pod-references.js';

/** An object that a node may read. The namespace of a cluster-scoped object is ''. */
interface RelatedObject {
  readonly namespace: string;
  readonly name: string;
}

/** The kinds of objects that a kubelet may access only if a Pod on its node uses the object, or if the object belongs to the node. */
export type RelatedKind =
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'pods'
  | 'resourceclaims'
  | 'resourceslices'
  | 'serviceaccounts'
  | 'volumeattachments';

/** The fields of volume sources with the Secrets that a kubelet needs. Only CSI controllers need the other Secrets. */
const volumeSecretFields = ['secretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** Returns whether a Pod on the node uses an object, or whether the object belongs to the node. */
export function isRelated(store: Store, node: string, kind: RelatedKind, { namespace, name }: RelatedObject): boolean {
  switch (kind) {
    case 'pods':
      return stringAt(store.get('/pods', { namespace, name }), 'spec', 'nodeName') === node;
    case 'resourceslices':
      return stringAt(store.get('resource.k8s.io/resourceslices', { name }), 'spec', 'nodeName') === node;
    case 'volumeattachments':
      return stringAt(store.get('storage.k8s.io/volumeattachments', { name }), 'spec', 'nodeName') === node;
    case 'persistentvolumes': {
      const volume = store.get('/persistentvolumes', { name });
      return volume !== undefined && usesVolume(store, node, volume);
    }
    case 'secrets':
      return (
        podsOn(store, node, namespace).some((pod) => secretsOf(pod['spec']).has(name)) ||
        hasVolumeSecret(store, node, { namespace, name })
      );
    default:
      return podsOn(store, node, namespace).some((pod) => namesIn(pod, kind).has(name));
  }
}

/** Returns the Pods of a namespace on a node. Excludes mirror Pods, which the node itself creates. */
function podsOn(store: Store, node: string, namespace: string): readonly ApiObject[] {
  return store
    .list('/pods', { namespace })
    .filter((pod) => stringAt(pod, 'spec', 'nodeName') === node && !isMirrorPod(pod));
}

function namesIn(pod: ApiObject, kind: RelatedKind): ReadonlySet<string> {
  if (kind === 'configmaps') return configMapsOf(pod['spec']);
  if (kind === 'serviceaccounts') return new Set([stringAt(pod, 'spec', 'serviceAccountName')]);
  if (kind === 'persistentvolumeclaims') return claimsOf(pod);
  const claims = [
    ...objectsAt(pod, 'spec', 'resourceClaims'),
    ...objectsAt(pod, 'status', 'resourceClaimStatuses'),
    objectAt(pod, 'status', 'extendedResourceClaimStatus'),
  ];
  return new Set(claims.map((claim) => stringAt(claim, 'resourceClaimName')));
}

function claimsOf(pod: ApiObject): ReadonlySet<string> {
  return new Set(objectsAt(pod, 'spec', 'volumes').map((volume) => claimOf(pod, volume)));
}

/** Whether a Pod on the node uses the claim that a volume is bound to. */
function usesVolume(store: Store, node: string, volume: ApiObject): boolean {
  const claim = objectAt(volume, 'spec', 'claimRef');
  return podsOn(store, node, stringAt(claim, 'namespace')).some((pod) => claimsOf(pod).has(stringAt(claim, 'name')));
}

/** Whether a PersistentVolume that a Pod on the node uses references the Secret for a kubelet. */
function hasVolumeSecret(store: Store, node: string, { namespace, name }: RelatedObject): boolean {
  return store.list('/persistentvolumes').some((volume) => {
    const claimNamespace = stringAt(volume, 'spec', 'claimRef', 'namespace');
    const isNamed = secretsOfVolume(volume).some(
      (secret) => secret.name === name && (secret.namespace || claimNamespace) === namespace,
    );
    return isNamed && usesVolume(store, node, volume);
  });
}

/** Returns the Secrets of a PersistentVolume that a kubelet needs. The namespace of a Secret can be ''. */
function secretsOfVolume(volume: ApiObject): readonly RelatedObject[] {
  const azure = objectAt(volume, 'spec', 'azureFile');
  const references = Object.values(objectAt(volume, 'spec'))
    .filter(isObject)
    .flatMap((source) => volumeSecretFields.map((field) => objectAt(source, field)));
  return [
    { namespace: stringAt(azure, 'secretNamespace'), name: stringAt(azure, 'secretName') },
    ...references.map((secret) => ({ namespace: stringAt(secret, 'namespace'), name: stringAt(secret, 'name') })),
  ];
}
