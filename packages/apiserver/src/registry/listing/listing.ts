import { isExpired } from '@kubewright/api/errors';
import type { Steps } from '@kubewright/api/apply';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import type { ObjectKey } from '../../storage/api-object.js';
import type { ObjectRange } from '../../storage/object-range.js';
import type { Store } from '../../storage/store.js';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.js';
import type { ApiObject } from '../objects/api-object.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { VersionConversion } from '../definitions/version-conversion.js';
import { waitFor } from '../webhooks/wait-for.js';
import { compileSelection } from './selection.js';
import { badRequest, expired, invalid, UnreachedVersionError } from '../requests/status-errors.js';
import type { ListOptions, ListResult } from '../requests/verb-options.js';
import { versionOptionFault } from '../requests/version-fault.js';

/** The maximum number of objects that a list converts at once, before it evaluates the selectors on these objects. */
const mostConverted = 500;

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/**
 * Lists objects according to the options `resourceVersion`, `limit` and `continue`, one object in each step. Without an exact
 * resourceVersion, the list shows the state at the first step. All pages of one list show the state of the first page. Throws 400 or 422
 * for invalid options, 410 if the requested state is not stored any more, and an UnreachedVersionError for a resourceVersion in the future.
 */
export function* listSteps(store: Store, definition: ResourceDefinition, options: ListOptions): Steps<ListResult> {
  checkListOptions(options, store.resourceVersion);
  const matches = compileSelection(definition, options);
  const token = options.continue ? decodeContinue(options.continue, options.namespace) : undefined;
  const { objects, resourceVersion } = state(store, definition, { options, token });
  const rest = token === undefined ? objects : objects.from(keyFrom(token.after));
  // kube-apiserver answers lists with resourceVersion "0" from its watch cache, which ignores the limit.
  const limit = options.resourceVersion === '0' ? 0 : (options.limit ?? 0);
  const { items, next } = yield* page(rest, { definition, matches, limit });
  // kube-apiserver always sets `continue` in lists of custom resources.
  const end = definition.custom ? { continue: '' } : {};
  if (next === undefined) return { items, metadata: { ...end, resourceVersion } };
  const selects = Boolean(options.labelSelector) || Boolean(options.fieldSelector);
  const { namespace } = options;
  return {
    items,
    metadata: {
      resourceVersion,
      continue: encodeContinue({ resourceVersion, after: keyOf(items[limit - 1] as ApiObject) }, namespace),
      // kube-apiserver cannot count the remaining items of a list with a selector.
      ...(selects ? {} : { remainingItemCount: rest.length - next }),
    },
  };
}

/** The objects to select, and the maximum number of objects on the page. A `limit` of 0 selects all matching objects. */
interface PageOptions {
  readonly definition: ResourceDefinition;
  readonly matches: (object: ApiObject) => boolean;
  readonly limit: number;
}

/**
 * Returns up to `limit` matching objects, or all matching objects if `limit` is 0. If objects are left, `next` is the index of the first
 * unread object.
 */
function* page(
  objects: ObjectRange,
  { definition, matches, limit }: PageOptions,
): Steps<{ readonly items: readonly ApiObject[]; readonly next?: number }> {
  const items: ApiObject[] = [];
  let at = 0;
  let converted = 0;
  for (const stored of objects) {
    if (limit > 0 && items.length === limit) return { items, next: at };
    if (definition.conversion !== undefined && at === converted) {
      const most = limit > 0 ? Math.min(limit - items.length, mostConverted) : mostConverted;
      converted = at + most;
      yield* convert(definition.conversion, objects.slice(at, converted));
    }
    const object = definition.fromStored(stored);
    if (matches(object)) items.push(object);
    at += 1;
    yield;
  }
  return { items };
}

/** Converts objects with a webhook, in one call. Waits only if an object is not converted yet. */
function* convert({ isRead, read }: VersionConversion, stored: readonly ApiObject[]): Steps<void> {
  if (!stored.every(isRead)) yield* waitFor(() => read(stored));
}

/** Throws 400 if the resourceVersion is not a number. Throws an UnreachedVersionError if the resourceVersion is in the future. */
export function checkResourceVersion(requested: string | undefined, current: string): void {
  if (requested === undefined || requested === '' || requested === '0') return;
  const fault = versionOptionFault(requested);
  if (fault !== undefined) throw badRequest(`invalid resource version: ${fault}`);
  if (compareResourceVersions(requested, current) > 0) throw new UnreachedVersionError(requested, current);
}

function state(
  store: Store,
  definition: ResourceDefinition,
  { options, token }: { readonly options: ListOptions; readonly token: ContinueToken | undefined },
): { readonly objects: ObjectRange; readonly resourceVersion: string } {
  const { storageBucket } = definition;
  const { namespace } = options;
  const at = token === undefined ? exactVersion(options) : token.resourceVersion;
  if (at === undefined || at === store.resourceVersion) {
    return { objects: store.range(storageBucket, { namespace }), resourceVersion: store.resourceVersion };
  }
  try {
    return { objects: store.rangeAt(storageBucket, { resourceVersion: at, namespace }), resourceVersion: at };
  } catch (error) {
    if (!isExpired(error)) throw error;
    if (token === undefined) throw expired('The resourceVersion for the provided list is too old.');
    const after = token.after.replace(/\0$/, '');
    throw expired(tooOld, encodeContinue({ resourceVersion: undefined, after }, namespace));
  }
}

/**
 * Returns the resourceVersion whose exact state is requested, or undefined. A resourceVersion with a limit and without a
 * resourceVersionMatch also requests the exact state.
 */
function exactVersion({ resourceVersion, resourceVersionMatch, limit }: ListOptions): string | undefined {
  if (!resourceVersion || resourceVersion === '0') return undefined;
  if (resourceVersionMatch === 'Exact') return resourceVersion;
  return !resourceVersionMatch && (limit ?? 0) > 0 ? resourceVersion : undefined;
}

function checkListOptions(options: ListOptions, current: string): void {
  const errors = [...matchErrors(options)];
  if (options.sendInitialEvents !== undefined) {
    errors.push(fieldErrors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions', plural: '' }, '', errors);
  const { resourceVersion } = options;
  if (options.continue && resourceVersion && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  checkResourceVersion(resourceVersion, current);
}

function matchErrors({ resourceVersion, resourceVersionMatch, ...rest }: ListOptions): readonly FieldError[] {
  if (!resourceVersionMatch) return [];
  const field = 'resourceVersionMatch';
  const forbidden = (why: string): FieldError => ({
    reason: 'FieldValueForbidden',
    field,
    message: `Forbidden: ${why}`,
  });
  const errors: FieldError[] = [];
  if (!resourceVersion) {
    errors.push(forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (rest.continue) errors.push(forbidden('resourceVersionMatch is forbidden when continue is provided'));
  if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
    const message = `Unsupported value: "${resourceVersionMatch}": supported values: "Exact", "NotOlderThan", ""`;
    errors.push({ reason: 'FieldValueNotSupported', field, message });
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    errors.push(forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function keyOf({ metadata }: { readonly metadata: { readonly name: string; readonly namespace?: string } }): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function keyFrom(text: string): ObjectKey {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}
