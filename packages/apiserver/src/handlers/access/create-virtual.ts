import { trackUpdate } from '@kubewright/api/apply';
import { builtInSchema } from '@kubewright/api/built-in';
import { decode } from '../../registry/decoding/decode.js';
import type { DraftObject } from '../../registry/json-object.js';
import { bindToPath, timestamp } from '../../registry/metadata-rules.js';
import type { RequestContext } from '../../registry/request-context.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { strategyOf } from '../../registry/strategies/default-strategy.js';
import { type Answer, json } from '../answer.js';
import { writeContext } from '../query-options.js';
import { jsonText, objectBody } from '../request-body.js';
import type { Serving } from '../serving.js';
import type { ResourceRequest } from '../verbs.js';
import type { VirtualResource } from './virtual-resource.js';
import { virtualResources } from './virtual-resources.js';

/** What answers creations on the resource, or on the subresource of its objects; undefined where they are stored. */
export function virtualResource({ info }: Pick<ResourceRequest, 'info'>): VirtualResource | undefined {
  const { group, resource, subresource } = info;
  return virtualResources.get(`${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`);
}

/** POST of an object that is answered and not stored: 201 with what has become of it. */
export function createVirtual(
  { request, info, resource, presenter }: ResourceRequest,
  { serving, virtual }: { readonly serving: Serving; readonly virtual: VirtualResource },
): Answer {
  const context = { ...writeContext(request, info, 'CreateOptions'), ...jsonText(request) };
  const definition = bodyDefinition(resource.definition, info.subresource);
  const object = decode(objectBody(request, definition.kind), definition, context);
  if (info.namespace !== undefined) bindToPath(object, definition, { namespace: info.namespace });
  virtual.defaults?.(object);
  track(object, { definition, virtual, context, now: timestamp(serving.clock.now()) });
  const answer = virtual.answer({ serving, info, user: request.user, context, object });
  return json(presenter.object(answer as Parameters<typeof presenter.object>[0]), 201);
}

/** The definition of what is sent: a subresource has a kind of its own. */
function bodyDefinition(definition: ResourceDefinition, name: string | undefined): ResourceDefinition {
  const subresource = name === undefined ? undefined : definition.subresources.get(name);
  if (subresource === undefined) return definition;
  const { group, version, kind } = subresource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const schema = builtInSchema(apiVersion, kind);
  if (schema === undefined) throw new RangeError(`there is no built-in schema of ${kind} in ${apiVersion}`);
  return { ...definition, group, version, apiVersion, kind, schema, strategy: strategyOf(), subresources: new Map() };
}

/** Notes who has sent which fields, as with objects that are stored. */
function track(
  object: DraftObject,
  write: {
    readonly definition: ResourceDefinition;
    readonly virtual: VirtualResource;
    readonly context: RequestContext;
    readonly now: string;
  },
): void {
  const { fieldManager: manager, subresource } = write.context;
  const tracked = trackUpdate({
    before: undefined,
    empty: { spec: write.virtual.emptySpec ?? {} },
    after: object,
    schema: write.definition.schema,
    manager,
    ...(subresource === undefined ? {} : { subresource }),
    now: write.now,
  }) as DraftObject;
  object.metadata = tracked.metadata;
}
