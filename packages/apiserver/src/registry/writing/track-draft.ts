import { type Steps, trackUpdateSteps } from '@kubewright/api/apply';
import { completeDraft, emptyOf } from '../decoding/go-form.js';
import type { ApiObject, IncomingMeta, IncomingObject } from '../objects/api-object.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { copyJson } from '../objects/json-object.js';
import { versionConverter } from './stored-form.js';
import { checkWrittenValues } from '../../storage/value-limit.js';
import { resetFields, resetsStatus, statusOnly, without } from './update-rules.js';

/** The write that `trackDraft` and `manageDraft` record. `now` is the time of the new entries. */
interface TrackedWrite {
  readonly definition: ResourceDefinition;
  readonly context: RequestContext;
  readonly now: string;
}

/**
 * Sets the managedFields of a draft, in steps. The caller must call this function before admission checks, policies, webhooks and the
 * strategy of the kind change the draft. No manager then owns the values of these changes. Throws 413 if the draft already has too many
 * values, before any policy or webhook reviews the draft. Does nothing for a binding, and if the managedFields are already the result of a
 * server-side apply.
 */
export function* manageDraft(draft: IncomingObject, live: ApiObject | undefined, write: TrackedWrite): Steps<void> {
  const { definition, context } = write;
  // A binding writes the node and the PodScheduled condition, regardless of field managers.
  if (context.operation === 'Apply' || context.subresource === 'binding') return;
  const isStatus = live !== undefined && context.subresource === 'status';
  const requested = copyJson(isStatus ? statusOnly(draft, live, definition) : draft);
  completeDraft(requested, definition);
  yield;
  const { managedFields } = (yield* trackDraft(requested, live, write)).metadata;
  if (managedFields === undefined) delete draft.metadata.managedFields;
  else draft.metadata.managedFields = managedFields;
  yield;
  checkWrittenValues(writtenObject(draft, live, write));
}

/** Returns an object with as many values as a write would store if nothing else changed the draft. */
function writtenObject(
  draft: IncomingObject,
  live: ApiObject | undefined,
  { definition, context }: TrackedWrite,
): IncomingObject {
  if (live === undefined) {
    const generation = definition.strategy.tracksGeneration ? { generation: 1 } : {};
    return { ...draft, metadata: { uid: '', creationTimestamp: '', ...generation, ...draft.metadata } };
  }
  if (context.subresource === 'status') return statusOnly(draft, live, definition);
  return resetsStatus(definition) ? { ...draft, status: live['status'] } : draft;
}

/** Returns the draft with updated managedFields, in steps. The manager owns the fields that the write changes. */
export function* trackDraft<T extends IncomingObject>(
  draft: T,
  live: ApiObject | undefined,
  { definition, context, now }: TrackedWrite,
): Steps<T> {
  const { subresource } = context;
  const hidden = subresource === undefined && definition.subresources.has('status');
  // A webhook can require all fields, so the webhook receives whole objects.
  const isConverted = definition.conversion !== undefined;
  const shown = (object: object): object => {
    if (isConverted) return object;
    // A write of the status can change only the status and the metadata.
    if (subresource === 'status') return statusPart(object);
    return hidden ? without(object, 'status') : object;
  };
  const { empty } = emptyOf(definition);
  const { metadata } = (yield* trackUpdateSteps({
    before: live === undefined ? undefined : shown(live),
    ...(empty === undefined ? {} : { empty: shown(empty) }),
    after: shown(draft),
    schema: definition.schema,
    schemaOf: definition.schemaOf,
    convert: versionConverter(definition),
    resetFields: isConverted ? resetFields(definition, subresource) : [],
    manager: context.fieldManager,
    ...(subresource === undefined ? {} : { subresource }),
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
