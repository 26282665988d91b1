import { type Steps, trackUpdateSteps } from '@kubewright/api/apply';
import { emptyOf } from '../decoding/go-form.js';
import type { ApiObject, IncomingMeta, IncomingObject } from '../objects/api-object.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { without } from './update-rules.js';

/** Returns the draft with updated managedFields, in steps. The manager owns the fields that the write changes. */
export function* trackDraft<T extends IncomingObject>(
  draft: T,
  live: ApiObject | undefined,
  {
    definition,
    context,
    now,
  }: { readonly definition: ResourceDefinition; readonly context: RequestContext; readonly now: string },
): Steps<T> {
  const hidden = context.subresource === undefined && definition.subresources.has('status');
  const shown = (object: object): object => {
    // A write of the status can change only the status and the metadata.
    if (context.subresource === 'status') return statusPart(object);
    return hidden ? without(object, 'status') : object;
  };
  const { empty } = emptyOf(definition);
  const { metadata } = (yield* trackUpdateSteps({
    before: live === undefined ? undefined : shown(live),
    ...(empty === undefined ? {} : { empty: shown(empty) }),
    after: shown(draft),
    schema: definition.schema,
    schemaOf: definition.schemaOf,
    manager: context.fieldManager,
    ...(context.subresource === undefined ? {} : { subresource: context.subresource }),
    now,
  })) as { metadata: T['metadata'] };
  return { ...draft, metadata };
}

function statusPart(object: object): object {
  const { apiVersion, kind, metadata, status } = object as Readonly<Record<string, unknown>>;
  return { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) };
}

/**
 * Returns the managedFields of the spec of a Scale, in steps. The manager owns the fields that the write changes. The other fields of a
 * Scale belong to the scaled object and do not have managers.
 */
export function* trackScale(
  scale: IncomingObject,
  before: ApiObject,
  { kind, context, now }: { readonly kind: ResourceDefinition; readonly context: RequestContext; readonly now: string },
): Steps<IncomingMeta['managedFields']> {
  const { schema } = kind;
  const tracked = yield* trackUpdateSteps({
    before: specPart(before),
    after: specPart(scale),
    schema,
    manager: context.fieldManager,
    subresource: 'scale',
    now,
  });
  return (tracked as IncomingObject).metadata.managedFields;
}

function specPart({ apiVersion, kind, metadata, spec }: IncomingObject): object {
  const { managedFields } = metadata;
  return { apiVersion, kind, metadata: managedFields === undefined ? {} : { managedFields }, spec };
}
