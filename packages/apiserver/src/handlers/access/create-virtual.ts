import { type Steps, trackUpdateSteps } from '@kubewright/api/apply';
import { namespaceLifecycle } from '../../admission/namespace-lifecycle.js';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import { decodeSteps } from '../../registry/decoding/decode.js';
import { completeDraft } from '../../registry/decoding/go-form.js';
import type { IncomingObject } from '../../registry/objects/api-object.js';
import { copyJson, isObject, stringAt } from '../../registry/objects/json-object.js';
import { bindToPath, timestamp } from '../../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../../registry/requests/request-context.js';
import type { ClusterData } from '../../registry/cluster-data/cluster-data.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { strategyOf } from '../../registry/definitions/default-strategy.js';
import type { Answer } from '../answers/answer.js';
import { inTurns } from '../in-turns.js';
import { writeContext } from '../query-options.js';
import { objectBody } from '../request-body.js';
import type { Serving } from '../serving.js';
import type { ResourceRequest } from '../verbs.js';
import type { VirtualResource } from './virtual-resource.js';
import { virtualResources } from './virtual-resources.js';

/**
 * Returns the virtual resource that handles create requests for the resource or subresource. Returns undefined if the server stores the
 * objects.
 */
export function virtualResource({ info }: Pick<ResourceRequest, 'info'>): VirtualResource | undefined {
  const { group, resource, subresource } = info;
  return virtualResources.get(`${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`);
}

/** Handles POST of an object that the server does not store, such as an access review. Answers 201 with the completed object. */
export async function createVirtual(
  { request, info, resource, presenter }: ResourceRequest,
  { serving, virtual }: { readonly serving: Serving; readonly virtual: VirtualResource },
): Promise<Answer> {
  const options = writeContext(request, info, 'CreateOptions');
  const definition = bodyDefinition(resource.definition, info.subresource, serving.registry.data);
  const { value, reports } = await objectBody(request, definition);
  const context = { ...options, ...reports };
  const body = inOwnVersion(value, definition, virtual);
  const object = await inTurns(decodeSteps(body, definition, context));
  const key = { namespace: info.namespace };
  bindToPath(object, definition, key);
  const admitted = { object, context, kind: definition, info, resource, registry: serving.registry };
  checkNamespace(admitted);
  virtual.defaults?.(object);
  await inTurns(track(object, { definition, virtual, context, now: timestamp(serving.clock.now()) }));
  const { admission } = serving.registry;
  await inTurns(admission.mutate(requestOf(admitted)), request);
  bindToPath(object, definition, key);
  const sent = { serving, info, user: request.user, context, object };
  virtual.prepare?.(sent);
  await inTurns(admission.validate(requestOf({ ...admitted, object: completeCopy(object, definition) })), request);
  const answer = await inTurns(virtual.answer(sent), request);
  return presenter.answer(answer as Parameters<typeof presenter.object>[0], 201);
}

interface Admitted extends Pick<ResourceRequest, 'info' | 'resource'>, Pick<Serving, 'registry'> {
  readonly object: IncomingObject;
  readonly context: RequestContext;
  /** The definition of the object. A subresource has its own kind. */
  readonly kind: ResourceDefinition;
}

/** Throws 404 if the namespace does not exist, and 403 if the namespace is being deleted, as for stored objects. */
function checkNamespace(admitted: Admitted): void {
  namespaceLifecycle({ ...requestOf(admitted), kind: admitted.resource.definition });
}

/** Returns a copy of the object in the form that kube-apiserver writes. */
function completeCopy(object: IncomingObject, kind: ResourceDefinition): IncomingObject {
  const copy = copyJson(object);
  completeDraft(copy, kind);
  return copy;
}

function requestOf({ object, context, kind, info, resource, registry }: Admitted): AdmissionRequest {
  const { definition } = resource;
  const name = info.name ?? object.metadata.name ?? '';
  const key = { name: name || 'Unknown', namespace: info.namespace };
  return { operation: 'CREATE', definition, kind, key, name, object, old: undefined, context, registry };
}

/** Returns the body with the apiVersion of the resource, if the body has another supported version. */
function inOwnVersion(body: unknown, { apiVersion }: ResourceDefinition, virtual: VirtualResource): unknown {
  if (!isObject(body) || virtual.otherVersions?.includes(stringAt(body, 'apiVersion')) !== true) return body;
  return { ...body, apiVersion };
}

/** Returns the definition of the body. A subresource has its own kind. */
function bodyDefinition(
  definition: ResourceDefinition,
  name: string | undefined,
  data: ClusterData,
): ResourceDefinition {
  const subresource = name === undefined ? undefined : definition.subresources.get(name);
  if (subresource === undefined) return definition;
  const { group, version, kind } = subresource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const schema = data.schema(apiVersion, kind);
  return { ...definition, group, version, apiVersion, kind, schema, strategy: strategyOf(), subresources: new Map() };
}

/** Updates the managedFields of the object, as for stored objects. */
function* track(
  object: IncomingObject,
  write: {
    readonly definition: ResourceDefinition;
    readonly virtual: VirtualResource;
    readonly context: RequestContext;
    readonly now: string;
  },
): Steps<void> {
  const { fieldManager: manager, subresource } = write.context;
  const tracked = (yield* trackUpdateSteps({
    before: undefined,
    empty: write.virtual.empty ?? { spec: {}, status: {} },
    after: object,
    schema: write.definition.schema,
    manager,
    ...(subresource === undefined ? {} : { subresource }),
    now: write.now,
  })) as IncomingObject;
  object.metadata = tracked.metadata;
}
