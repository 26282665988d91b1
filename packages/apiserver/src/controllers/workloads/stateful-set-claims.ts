import { ApiError, isAlreadyExists } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  objectAt,
  objectsAt,
  type OwnerReference,
  stringAt,
} from '../../registry/json-object.js';
import type { ControllerSetting } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { withOwners } from '../owners.js';
import { claimName, ordinalOf, ordinalsOf, podName } from './stateful-set-identity.js';

const by = { name: 'statefulset-controller', component: 'statefulset-controller' };

/** Makes the claims of a Pod that are not there. Throws when one cannot be made or is being deleted. */
export function createClaims(setting: ControllerSetting, set: ApiObject, ordinal: number): void {
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  for (const template of objectsAt(set, 'spec', 'volumeClaimTemplates')) {
    const name = claimName(set, template, ordinal);
    const known = claims.find({ name, namespace: set.metadata.namespace });
    if (known?.metadata.deletionTimestamp !== undefined) throw new Error(`pvc ${name} is being deleted`);
    if (known === undefined) createClaim(setting, set, { template, name, ordinal });
  }
}

/** Lets the claims of a Pod be owned as the retention policy of the set says. */
export function keepRetention(setting: ControllerSetting, set: ApiObject, pod: ApiObject): void {
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  for (const claim of claimsOf(setting, set, pod)) {
    const owners = claim.metadata.ownerReferences ?? [];
    const wanted = ownersOf(set, pod, owners);
    if (deepEqual(owners, wanted)) continue;
    const change = (live: ApiObject): unknown => withOwners(live, wanted);
    claims.update(claim.metadata, change, controllerContext(by.name, 'update'));
  }
}

/** Whether a claim of the Pod still belongs to an earlier Pod of its name, and goes with that one. */
export function hasStaleClaim(setting: ControllerSetting, set: ApiObject, ordinal: number): boolean {
  if (policyOf(set).whenScaled !== 'Delete') return false;
  const name = podName(set, ordinal);
  const pod = setting.registry.builtIn('/v1/pods').find({ name, namespace: set.metadata.namespace });
  return objectsAt(set, 'spec', 'volumeClaimTemplates').some((template) => {
    const key = { name: claimName(set, template, ordinal), namespace: set.metadata.namespace };
    const claim = setting.registry.builtIn('/v1/persistentvolumeclaims').find(key);
    return claim?.metadata.ownerReferences?.some(
      (owner) => owner.kind === 'Pod' && owner.name === name && owner.uid !== pod?.metadata.uid,
    );
  });
}

function createClaim(
  setting: ControllerSetting,
  set: ApiObject,
  options: { readonly template: JsonDraft; readonly name: string; readonly ordinal: number },
): void {
  const { template, name, ordinal } = options;
  const { name: _, namespace: __, ...metadata } = objectAt(template, 'metadata');
  const labels = { ...objectAt(metadata, 'labels'), ...objectAt(set, 'spec', 'selector', 'matchLabels') };
  const { namespace } = set.metadata;
  const body = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...copyJson(metadata), name, namespace, labels },
    spec: copyJson(template['spec']),
  };
  const pod = podName(set, ordinal);
  const owner = set.metadata.name;
  try {
    setting.registry.builtIn('/v1/persistentvolumeclaims').create(body, controllerContext(by.name, 'create'));
    const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${owner} success`;
    setting.events.record(set, { type: 'Normal', reason: 'SuccessfulCreate', message }, by);
  } catch (error) {
    if (error instanceof ApiError && !isAlreadyExists(error)) {
      const { message: why } = error as ApiError;
      const message = `Create Claim ${name} for Pod ${pod} in StatefulSet ${owner} failed error: ${why}`;
      setting.events.record(set, { type: 'Warning', reason: 'FailedCreate', message }, by);
    }
    throw error;
  }
}

function claimsOf({ registry }: ControllerSetting, set: ApiObject, pod: ApiObject): readonly ApiObject[] {
  const ordinal = ordinalOf(set, pod);
  return objectsAt(set, 'spec', 'volumeClaimTemplates')
    .map((template) => ({ name: claimName(set, template, ordinal), namespace: set.metadata.namespace }))
    .map((key) => registry.builtIn('/v1/persistentvolumeclaims').find(key))
    .filter((claim) => claim !== undefined);
}

function ownersOf(set: ApiObject, pod: ApiObject, known: readonly OwnerReference[]): readonly OwnerReference[] {
  const { whenScaled, whenDeleted } = policyOf(set);
  const { first, end } = ordinalsOf(set);
  const ordinal = ordinalOf(set, pod);
  const byPod = whenScaled === 'Delete' && (ordinal < first || ordinal >= end);
  const bySet = whenDeleted === 'Delete' && !byPod;
  const others = known.filter(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid);
  return [...others, ...(bySet ? [referenceTo(set)] : []), ...(byPod ? [referenceTo(pod)] : [])];
}

function referenceTo({ apiVersion, kind, metadata: { name, uid } }: ApiObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function policyOf(set: ApiObject): { readonly whenScaled: string; readonly whenDeleted: string } {
  const policy = objectAt(set, 'spec', 'persistentVolumeClaimRetentionPolicy');
  return {
    whenScaled: stringAt(policy, 'whenScaled') || 'Retain',
    whenDeleted: stringAt(policy, 'whenDeleted') || 'Retain',
  };
}
