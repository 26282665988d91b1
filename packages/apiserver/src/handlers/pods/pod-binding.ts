import { type Steps, withBreak } from '@kubewright/api/apply';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { copyJson, madeAt, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../../registry/requests/request-context.js';
import { badRequest, conflict, failure } from '../../registry/requests/status-errors.js';
import type { VirtualRequest, VirtualResource } from '../access/virtual-resource.js';

const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** The binding subresource of a Pod: assigns the Pod to a node, as a scheduler does. */
export const podBinding: VirtualResource = {
  path: '/pods/binding',
  answer: (request) => {
    const { object, info } = request;
    const { name } = info;
    if (name === undefined || object.metadata.name !== name) {
      throw badRequest('name in URL does not match name in Binding object');
    }
    return assigned(request, name);
  },
};

/** A Binding that is created without the subresource. The Binding has the name of its Pod. */
export const binding: VirtualResource = {
  path: '/bindings',
  answer: (request) => assigned(request, request.object.metadata.name),
};

function* assigned(request: VirtualRequest, name: string | undefined): Steps<JsonObject> {
  const { object, serving, info, context } = request;
  const errors = targetErrors(objectAt(object, 'target'));
  if (errors.length > 0) {
    const texts = errors.map(({ field, message }) => `${field}: ${message}`);
    throw failure(500, '', { message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]` });
  }
  if (name === undefined) throw badRequest('Name parameter required.');
  const bind = withBreak((pod: JsonObject) => bound(pod, request, name));
  const pods = serving.registry.builtIn('/v1/pods');
  const write: RequestContext = { ...context, verb: 'update', subresource: 'binding', unreviewed: true };
  yield* pods.updateSteps({ namespace: info.namespace, name }, bind, write);
  return success;
}

function targetErrors(target: JsonDraft): readonly FieldError[] {
  const kind = stringAt(target, 'kind');
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(fieldErrors.notSupported('target.kind', kind, ['Node', '<empty>']));
  if (stringAt(target, 'name') === '') errors.push(fieldErrors.required('target.name'));
  return errors;
}

/**
 * Returns the Pod with the node, the annotations and the labels of the Binding. Throws 409 for a Pod that has a node, has scheduling gates
 * or is being deleted, or that does not match the UID or the resourceVersion of the Binding.
 */
function bound(pod: JsonObject, { object, context, serving }: VirtualRequest, name: string): JsonObject {
  const refuse = (why: string): never => {
    throw conflict({ group: '', kind: 'Pod', plural: 'pods/binding' }, name, why);
  };
  const metadata = objectAt(pod, 'metadata');
  checkMeant(object.metadata, metadata, { dryRun: context.dryRun });
  if (metadata['deletionTimestamp'] !== undefined) refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  const node = stringAt(pod, 'spec', 'nodeName');
  if (node !== '') refuse(`pod ${name} is already assigned to node "${node}"`);
  if (objectsAt(pod, 'spec', 'schedulingGates').length > 0) refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  const next = copyJson(pod) as JsonDraft;
  madeAt(next, 'spec')['nodeName'] = stringAt(object, 'target', 'name');
  const own = objectAt(object, 'metadata');
  for (const field of ['annotations', 'labels']) {
    const given = objectAt(own, field);
    if (Object.keys(given).length > 0) Object.assign(madeAt(next, 'metadata', field), given);
  }
  const status = madeAt(next, 'status');
  const conditions = objectsAt(status, 'conditions').filter(({ type }) => type !== 'PodScheduled');
  const lastTransitionTime = timestamp(serving.clock.now());
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  status['conditions'] = [...conditions, scheduled];
  return next;
}

/** Throws 409 if the Binding specifies a UID or a resourceVersion, and the Pod has a different value. */
function checkMeant(meant: JsonObject, found: JsonObject, { dryRun }: { readonly dryRun: boolean }): void {
  for (const [field, shown] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const desired = stringAt(meant, field);
    if (desired === '' || desired === found[field]) continue;
    const name = stringAt(found, 'name');
    const key = `${dryRun ? '' : '/registry'}/pods/${stringAt(found, 'namespace')}/${name}`;
    const why = `Precondition failed: ${shown} in precondition: ${desired}, ${shown} in object meta: ${stringAt(found, field)}`;
    throw conflict(
      { group: '', kind: 'Pod', plural: 'pods' },
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
    );
  }
}
