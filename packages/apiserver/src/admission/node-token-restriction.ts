import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionRequest } from '../registry/admission/admission-check.js';
import type { ApiObject, JsonObject } from '../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt } from '../registry/objects/json-object.js';
import { notFound } from '../registry/requests/status-errors.js';
import { claimOf } from '../registry/strategies/rules/pod-references.js';

/**
 * Returns the reason why a node cannot request a token of a ServiceAccount, or undefined. The token must be bound to a Pod on the node. The
 * Pod must use the audience of the token, or the node needs the permission `request-serviceaccounts-token-audience` for this audience.
 * Throws 404 if the Pod does not exist.
 */
export function tokenRestriction(node: string, request: AdmissionRequest, authorizer: Authorizer): string | undefined {
  const { operation, context, object, registry, key } = request;
  if (operation !== 'CREATE' || context.subresource !== 'token') return undefined;
  const bound = (field: string): string => stringAt(object, 'spec', 'boundObjectRef', field);
  if (bound('apiVersion') !== 'v1' || bound('kind') !== 'Pod' || bound('name') === '') {
    return 'node requested token not bound to a pod';
  }
  if (bound('uid') === '') return 'node requested token with a pod binding without a uid';
  const pod = registry.builtIn('/v1/pods').find({ namespace: key.namespace, name: bound('name') });
  if (pod === undefined) throw notFound({ group: '', kind: 'Pod', plural: 'pod' }, bound('name'));
  if (bound('uid') !== pod.metadata.uid) {
    const why = 'The object might have been deleted and then recreated';
    return `the UID in the bound object reference (${bound('uid')}) does not match the UID in record. ${why}`;
  }
  if (stringAt(pod, 'spec', 'nodeName') !== node) {
    return 'node requested token bound to a pod scheduled on a different node';
  }
  return audienceRestriction(request, pod, authorizer);
}

function audienceRestriction(
  { object, context: { user }, key, registry }: AdmissionRequest,
  pod: ApiObject,
  authorizer: Authorizer,
): string | undefined {
  const [audience = '', ...others] = textsAt(object, 'spec', 'audiences');
  if (others.length > 0) return 'node may only request 0 or 1 audiences';
  const errors: string[] = [];
  for (const volume of objectsAt(pod, 'spec', 'volumes')) {
    const used = usesAudience({ pod, volume, registry }, audience);
    if (used === true) return undefined;
    if (used !== false) errors.push(used);
  }
  if (errors.length > 0) {
    const [first, ...more] = new Set(errors);
    const why = more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
    return `error validating audience ${JSON.stringify(audience)}: ${why}`;
  }
  const { namespace = '', name } = key;
  const isAllowed = authorizer.allows({
    kind: 'resource',
    user,
    verb: 'request-serviceaccounts-token-audience',
    group: '',
    resource: audience,
    subresource: '',
    namespace,
    name,
  });
  if (isAllowed) return undefined;
  const why = `${user.name} is not authorized to request tokens for this audience`;
  return `audience ${JSON.stringify(audience)} not found in pod spec volume, ${why}`;
}

/** A volume of a Pod. */
interface PodVolume {
  readonly pod: ApiObject;
  readonly volume: JsonObject;
  readonly registry: AdmissionRequest['registry'];
}

/**
 * Returns whether a token in the volume, or the CSI driver of the volume, uses the audience. Returns an error message if the claim, the
 * PersistentVolume or the CSI driver does not exist.
 */
function usesAudience({ pod, volume, registry }: PodVolume, audience: string): boolean | string {
  const isProjected = objectsAt(volume, 'projected', 'sources').some(
    (source) =>
      source['serviceAccountToken'] !== undefined && stringAt(source, 'serviceAccountToken', 'audience') === audience,
  );
  if (isProjected) return true;
  let source = volume;
  const claim = claimOf(pod, volume);
  if (claim !== '') {
    const { namespace } = pod.metadata;
    const found = registry.builtIn('/v1/persistentvolumeclaims').find({ namespace, name: claim });
    if (found === undefined) return `persistentvolumeclaim "${claim}" not found`;
    const name = stringAt(found, 'spec', 'volumeName');
    const bound = name === '' ? undefined : registry.builtIn('/v1/persistentvolumes').find({ name });
    if (bound === undefined) return `persistentvolume "${name}" not found`;
    source = objectAt(bound, 'spec');
  }
  const driver = stringAt(source, 'csi', 'driver');
  if (driver === '') return false;
  const found = registry.builtIn('storage.k8s.io/v1/csidrivers').find({ name: driver });
  if (found === undefined) return `csidriver.storage.k8s.io "${driver}" not found`;
  return objectsAt(found, 'spec', 'tokenRequests').some((request) => stringAt(request, 'audience') === audience);
}
