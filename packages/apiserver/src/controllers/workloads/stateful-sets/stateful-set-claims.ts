import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError, isAlreadyExists } from '@kubewright/api/errors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { withOwners } from '../../objects/owners.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { hasOtherController, hasStaleOwner, neededOwners, retentionPolicy } from './claim-owners.js';
import { claimName, ordinalOf, podName } from './stateful-set-identity.js';

const by = { name: 'statefulset-controller', component: 'statefulset-controller' };

/** The number of claims that one step looks up. */
const claimsInStep = 100;

/** Creates the missing claims of a Pod. Throws if the server refuses a claim, or if a claim is being deleted. */
export function* createClaims(setting: ControllerSetting, set: ApiObject, ordinal: number): Steps<void> {
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  const errors: string[] = [];
  for (const [at, template] of objectsAt(set, 'spec', 'volumeClaimTemplates').entries()) {
    if (at % claimsInStep === claimsInStep - 1) yield;
    const name = claimName(set, template, ordinal);
    const known = claims.find({ name, namespace: set.metadata.namespace });
    if (known?.metadata.deletionTimestamp !== undefined) errors.push(`pvc ${name} is being deleted`);
    if (known !== undefined) continue;
    const failure = yield* createClaim(setting, set, { template, name, ordinal });
    if (failure !== undefined) errors.push(`failed to create PVC ${name}: ${failure}`);
  }
  if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
}

/** Sets the owners of the claims of a Pod according to the retention policy of the set. */
export function* keepRetention(setting: ControllerSetting, set: ApiObject, pod: ApiObject): Steps<void> {
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  const ordinal = ordinalOf(set, pod);
  for (const [at, template] of objectsAt(set, 'spec', 'volumeClaimTemplates').entries()) {
    if (at % claimsInStep === claimsInStep - 1) yield;
    const name = claimName(set, template, ordinal);
    const claim = claims.find({ name, namespace: set.metadata.namespace });
    if (claim === undefined) continue;
    if (hasOtherController({ set, pod, claim })) {
      const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      setting.events.record(set, { type: 'Warning', reason: 'ConflictingController', message }, by);
    }
    if (neededOwners({ set, pod, claim }) === undefined) continue;
    const change = withBreak((live: ApiObject) => {
      const owners = neededOwners({ set, pod, claim: live });
      return owners === undefined ? live : withOwners(live, owners);
    });
    yield* claims.updateSteps(claim.metadata, change, controllerContext(by.name, 'update'));
  }
}

/**
 * Returns whether an earlier Pod with the same name still owns a claim of the Pod. The garbage collector deletes such a claim, so the new
 * Pod must wait. Returns false if the set retains claims after scaling.
 */
export function* hasStaleClaim(setting: ControllerSetting, set: ApiObject, ordinal: number): Steps<boolean> {
  if (retentionPolicy(set).whenScaled === 'Retain') return false;
  const { namespace } = set.metadata;
  const name = podName(set, ordinal);
  const uid = setting.registry.builtIn('/v1/pods').find({ name, namespace })?.metadata.uid ?? '';
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, uid } };
  const claims = setting.registry.builtIn('/v1/persistentvolumeclaims');
  for (const [at, template] of objectsAt(set, 'spec', 'volumeClaimTemplates').entries()) {
    if (at % claimsInStep === claimsInStep - 1) yield;
    const claim = claims.find({ name: claimName(set, template, ordinal), namespace });
    if (claim !== undefined && hasStaleOwner(claim, pod)) return true;
  }
  return false;
}

/** Creates a claim. Returns the message of the error if the server refuses the claim. */
function* createClaim(
  setting: ControllerSetting,
  set: ApiObject,
  options: { readonly template: JsonDraft; readonly name: string; readonly ordinal: number },
): Steps<string | undefined> {
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
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || isNamespaceTerminating(error)) throw error;
    const why = error.message;
    if (!isAlreadyExists(error)) {
      const message = `Create Claim ${name} for Pod ${pod} in StatefulSet ${owner} failed error: ${why}`;
      setting.events.record(set, { type: 'Warning', reason: 'FailedCreate', message }, by);
    }
    return why;
  }
}
