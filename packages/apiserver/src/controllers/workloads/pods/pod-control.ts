import type { Steps } from '@kubewright/api/apply';
import { ApiError, isNotFound } from '@kubewright/api/errors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, objectAt } from '../../../registry/objects/json-object.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { controllerReference } from '../../objects/controller-reference.js';

/** The controller that creates and deletes Pods: the name of its service account, and the component of its Events. */
export interface PodMaker {
  readonly name: string;
  readonly component: string;
}

/** Returns a Pod with the content of the template and the owner as its controller. The API server generates the name of the Pod. */
export function podOf(owner: ApiObject, template: unknown): JsonDraft & { metadata: JsonDraft; spec: JsonDraft } {
  const { labels, annotations, finalizers } = objectAt(template, 'metadata');
  const metadata: JsonDraft = {
    generateName: `${owner.metadata.name}-`,
    namespace: owner.metadata.namespace,
    labels: copyJson(labels ?? {}),
    ownerReferences: [controllerReference(owner)],
  };
  if (annotations !== undefined) metadata['annotations'] = copyJson(annotations);
  if (finalizers !== undefined) metadata['finalizers'] = copyJson(finalizers);
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: copyJson(objectAt(template, 'spec')) };
}

/**
 * Creates a Pod and records an Event on its owner. If the API server refuses the Pod, records the refusal and throws the error. Does not
 * record a refusal because of a namespace that is being deleted.
 */
export function* createPod(
  setting: ControllerSetting,
  owner: ApiObject,
  options: { pod: unknown; by: PodMaker },
): Steps<ApiObject> {
  const { pod, by } = options;
  try {
    const pods = setting.registry.builtIn('/v1/pods');
    const created = yield* pods.createSteps(pod, controllerContext(by.name, 'create'));
    const message = `Created pod: ${created.metadata.name}`;
    setting.events.record(owner, { type: 'Normal', reason: 'SuccessfulCreate', message }, by);
    return created;
  } catch (error) {
    if (error instanceof ApiError && !isNamespaceTerminating(error)) {
      const message = `Error creating: ${error.message}`;
      setting.events.record(owner, { type: 'Warning', reason: 'FailedCreate', message }, by);
    }
    throw error;
  }
}

/**
 * Deletes a Pod and records an Event on its owner. Does nothing if the Pod no longer exists. If the API server refuses the deletion,
 * records the refusal and throws the error.
 */
export function* deletePod(
  setting: ControllerSetting,
  owner: ApiObject,
  options: { pod: ApiObject; by: PodMaker },
): Steps<void> {
  const { pod, by } = options;
  try {
    const preconditions = { uid: pod.metadata.uid };
    const pods = setting.registry.builtIn('/v1/pods');
    yield* pods.deleteSteps(pod.metadata, { preconditions }, controllerContext(by.name, 'delete'));
  } catch (error) {
    if (isNotFound(error)) return;
    if (error instanceof ApiError) {
      const message = `Error deleting: ${error.message}`;
      setting.events.record(owner, { type: 'Warning', reason: 'FailedDelete', message }, by);
    }
    throw error;
  }
  const message = `Deleted pod: ${pod.metadata.name}`;
  setting.events.record(owner, { type: 'Normal', reason: 'SuccessfulDelete', message }, by);
}

/** Returns whether the error means that the namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.body.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true
  );
}
