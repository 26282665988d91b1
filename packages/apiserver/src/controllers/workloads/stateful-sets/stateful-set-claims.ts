import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError, isAlreadyExists } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft, OwnerReference } from '../../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { withOwners } from '../../objects/owners.js';
import { claimName, ordinalOf, ordinalsOf, podName } from './stateful-set-identity.js';

const by = { name: 'statefulset-controller', component: 'statefulset-controller' };

/** The number of claims that one step looks up. */
const claimsInStep = 100;

/** Creates the missing claims of a Pod. Throws if the server refuses a claim, or if a claim is being deleted. */
export function* createClaims(setting: ControllerSetting, set: ApiObject, ordinal: number): Steps<void> {
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  for (const [at, template] of objectsAt(set, 'spec', 'volumeClaimTemplates').entries()) {
    if (at % claimsInStep === claimsInStep - 1) yield;
    const name = claimName(set, template, ordinal);
    const known = claims.find({ name, namespace: set.metadata.namespace });
    if (known?.metadata.deletionTimestamp !== undefined) throw new Error(`pvc ${name} is being deleted`);
    if (known === undefined) yield* createClaim(setting, set, { template, name, ordinal });
  }
}

/** Sets the owners of the claims of a Pod according to the retention policy of the set. */
export function* keepRetention(setting: ControllerSetting, set: ApiObject, pod: ApiObject): Steps<void> {
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  const ordinal = ordinalOf(set, pod);
  for (const [at, template] of objectsAt(set, 'spec', 'volumeClaimTemplates').entries()) {
    if (at % claimsInStep === claimsInStep - 1) yield;
    const claim = claims.find({ name: claimName(set, template, ordinal), namespace: set.metadata.namespace });
    if (claim === undefined || !lacksRetention(set, pod, claim)) continue;
    const change = withBreak((live: ApiObject) => withOwners(live, ownersOf(set, pod, live)));
    yield* claims.updateSteps(claim.metadata, change, controllerContext(by.name, 'update'));
  }
}

/**
 * Returns whether an earlier Pod with the same name still owns a claim of the Pod. The garbage collector deletes such a claim, so the new
 * Pod must wait. Returns false if the set retains claims after scaling.
 */
export function* hasStaleClaim(setting: ControllerSetting, set: ApiObject, ordinal: number): Steps<boolean> {
  if (policyOf(set).whenScaled !== 'Delete') return false;
  const { namespace } = set.metadata;
  const name = podName(set, ordinal);
  const uid = setting.registry.builtIn('/v1/pods').find({ name, namespace })?.metadata.uid;
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  for (const [at, template] of objectsAt(set, 'spec', 'volumeClaimTemplates').entries()) {
    if (at % claimsInStep === claimsInStep - 1) yield;
    const owners = claims.find({ name: claimName(set, template, ordinal), namespace })?.metadata.ownerReferences ?? [];
    if (owners.some((owner) => owner.kind === 'Pod' && owner.name === name && owner.uid !== uid)) return true;
  }
  return false;
}

function* createClaim(
  setting: ControllerSetting,
  set: ApiObject,
  options: { readonly template: JsonDraft; readonly name: string; readonly ordinal: number },
): Steps<void> {
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
    const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
    yield* claims.createSteps(body, controllerContext(by.name, 'create'));
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

function lacksRetention(set: ApiObject, pod: ApiObject, claim: ApiObject): boolean {
  return !deepEqual(claim.metadata.ownerReferences ?? [], ownersOf(set, pod, claim));
}

function ownersOf(set: ApiObject, pod: ApiObject, claim: ApiObject): readonly OwnerReference[] {
  const { whenScaled, whenDeleted } = policyOf(set);
  const { first, end } = ordinalsOf(set);
  const ordinal = ordinalOf(set, pod);
  const byPod = whenScaled === 'Delete' && (ordinal < first || ordinal >= end);
  const bySet = whenDeleted === 'Delete' && !byPod;
  const known = claim.metadata.ownerReferences ?? [];
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
