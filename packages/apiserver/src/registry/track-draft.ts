import { type Steps, trackUpdateSteps } from '@kubewright/api/apply';
import { emptyOf } from './decoding/go-form.js';
import type { ApiObject, DraftMeta, DraftObject } from './json-object.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { without } from './update-rules.js';

/** The draft with the fields that the write changes recorded as those of its manager, in steps. */
export function* trackDraft(
  draft: DraftObject,
  live: ApiObject | undefined,
  {
    definition,
    context,
    now,
  }: { readonly definition: ResourceDefinition; readonly context: RequestContext; readonly now: string },
): Steps<DraftObject> {
  const hidden = context.subresource === undefined && definition.subresources.has('status');
  const shown = (object: object): object => {
    // A write of the status leaves all other fields as they are.
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
  })) as { metadata: DraftObject['metadata'] };
  return { ...draft, metadata };
}

function statusPart(object: object): object {
  const { apiVersion, kind, metadata, status } = object as Readonly<Record<string, unknown>>;
  return { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) };
}

/**
 * Returns the managedFields of the spec of a Scale, with the fields that the write changes recorded as those of its manager, in steps. Nobody
 * manages the other fields of a Scale, because they are those of the object.
 */
export function* trackScale(
  scale: DraftObject,
  before: ApiObject,
  { kind, context, now }: { readonly kind: ResourceDefinition; readonly context: RequestContext; readonly now: string },
): Steps<DraftMeta['managedFields']> {
  const { schema } = kind;
  const tracked = yield* trackUpdateSteps({
    before: specPart(before),
    after: specPart(scale),
    schema,
    manager: context.fieldManager,
    subresource: 'scale',
    now,
  });
  return (tracked as DraftObject).metadata.managedFields;
}

function specPart({ apiVersion, kind, metadata, spec }: ApiObject | DraftObject): object {
  const { managedFields } = metadata;
  return { apiVersion, kind, metadata: managedFields === undefined ? {} : { managedFields }, spec };
}
