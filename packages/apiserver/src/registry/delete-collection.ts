import type { Steps } from '@kubewright/api/apply';
import { isNotFound } from '@kubewright/api/errors';
import type { RequestContext } from './requests/request-context.js';
import type { Resource } from './resource.js';
import type { DeleteOptions, ListOptions, ListResult } from './requests/verb-options.js';

/** Deletes the objects of a selection, one in each step. Returns the list of these objects as they were at the first step. */
export function* deleteCollectionSteps(
  resource: Resource,
  selection: ListOptions,
  { options, context }: { readonly options: DeleteOptions; readonly context: RequestContext },
): Steps<ListResult> {
  const found = yield* resource.listSteps(selection);
  for (const { metadata } of found.items) {
    try {
      yield* resource.deleteSteps(metadata, options, context);
    } catch (error) {
      // Another request has deleted the object since the first step.
      if (!isNotFound(error)) throw error;
    }
    yield;
  }
  return found;
}
