import { append } from '@kubewright/api/json';
import type { ApiObject, DraftObject, IncomingObject } from '../objects/api-object.js';
import { copyJson } from '../objects/json-object.js';
import { completeName, type CreationOptions, fillNewMetadata } from '../metadata/metadata-rules.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { UpdateContext } from '../definitions/strategy.js';
import { keepStatus, resetsStatus, specChanged, statusOnly } from './update-rules.js';

/**
 * Completes the draft of a new object after policies and webhooks have changed the draft: sets the metadata and the fields that only the
 * server sets, and removes the status if only the status subresource writes the status.
 */
export function prepareNew(
  draft: IncomingObject,
  {
    definition,
    context,
    ...creation
  }: { readonly definition: ResourceDefinition; readonly context: RequestContext } & CreationOptions,
): asserts draft is DraftObject {
  const { strategy } = definition;
  if (resetsStatus(definition)) delete draft['status'];
  fillNewMetadata(draft, creation);
  if (strategy.tracksGeneration) draft.metadata.generation = 1;
  completeName(draft);
  strategy.prepareForCreate(draft, context);
}

/**
 * Returns the complete object of an update, after policies and webhooks have changed the draft: the draft without the changes that the
 * endpoint ignores, and with the new generation. The caller must call `keepMetadata` before this function.
 */
export function preparedUpdate(
  draft: DraftObject,
  live: ApiObject,
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: UpdateContext },
): DraftObject {
  const { strategy } = definition;
  if (context.subresource === 'binding') return draft;
  if (context.subresource === 'status') {
    const next = copyJson(statusOnly(draft, live, definition));
    strategy.prepareForStatusUpdate(next, live, context);
    return next;
  }
  keepStatus(draft, live, definition);
  strategy.prepareForUpdate(draft, live, context);
  if (strategy.tracksGeneration && specChanged(draft, live, definition)) {
    draft.metadata.generation = (live.metadata.generation ?? 0) + 1;
  }
  return draft;
}

/**
 * Adds the warnings of the kind about a valid object. `live` is undefined for a new object. Adds no warnings for a write of a subresource.
 */
export function addWarnings(
  draft: ApiObject,
  live: ApiObject | undefined,
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): void {
  if (context.subresource !== undefined) return;
  append(context.warnings, definition.strategy.warnings?.(draft, live) ?? []);
}
