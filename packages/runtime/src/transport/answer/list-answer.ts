import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import type { ResourceInfo } from '../request/resource-path.js';

const PARTIAL_LIST_KIND = 'PartialObjectMetadataList';

/** The fields of a list response. */
export interface ListAnswer {
  /** The items. Empty if the caller has removed the items from the bytes before parsing. */
  readonly items: readonly unknown[];
  /** The resourceVersion of the list. Empty if the server returns none. */
  readonly resourceVersion: string;
  /** The continue token of the next page. Empty on the last page. */
  readonly continueToken: string;
  /** The number of objects after this page. Undefined if the server does not report it. */
  readonly remaining: number | undefined;
  /** Whether the list has the list kind of the resource, or is a list of metadata. */
  readonly isExpectedKind: boolean;
}

/** The resource of a list request, and a description of the request for messages. */
export interface ListedResource {
  readonly resource: ResourceInfo;
  /** Whether only metadata was requested. */
  readonly metadataOnly: boolean;
  /** A description of the request for messages. */
  readonly attempted: string;
}

/**
 * Checks that a parsed response is a list of the resource, and returns the fields of the list. Throws INVALID_RESPONSE for any other
 * response, so that a malformed response is never used as an empty list. The message contains no value of the response except the kind and
 * the apiVersion.
 *
 * The list kind of a custom resource can have any name. For kinds that are not built in, only the apiVersion is compared. The caller must
 * check the kinds of the items.
 */
export function listAnswerOf(answer: unknown, listed: ListedResource): ListAnswer {
  const invalid = (defect: string): KubewrightError => invalidResponse(listed.attempted, defect);
  if (!isJsonObject(answer)) throw invalid(`the response is not a list but ${typeText(answer)}`);
  const { metadata = {}, items } = answer;
  const isExpectedKind = checkKind(answer, listed);
  if (!isJsonObject(metadata)) throw invalid(`'metadata' of the list is ${typeText(metadata)} instead of an object`);
  const { resourceVersion = '', continue: continueToken = '', remainingItemCount } = metadata;
  if (typeof resourceVersion !== 'string') throw invalid(notText('resourceVersion', resourceVersion));
  if (typeof continueToken !== 'string') throw invalid(notText('continue', continueToken));
  // A kube-apiserver sends null instead of an empty array only for lists of metadata.
  const isEmptyPartial = items === null && answer['kind'] === PARTIAL_LIST_KIND;
  if (!isEmptyPartial && !Array.isArray(items))
    throw invalid(`'items' of the list is ${typeText(items)} instead of an array`);
  return {
    items: isEmptyPartial ? [] : (items as readonly unknown[]),
    resourceVersion,
    continueToken,
    remaining: typeof remainingItemCount === 'number' ? remainingItemCount : undefined,
    isExpectedKind,
  };
}

/** Returns the error for a response that is not a valid response of the Kubernetes API. `defect` describes the problem. */
export function invalidResponse(attempted: string, defect: string, cause?: unknown): KubewrightError {
  return new KubewrightError(
    'INVALID_RESPONSE',
    `${attempted}: ${defect}; check that an API server answers at this address`,
    cause === undefined ? undefined : { cause },
  );
}

/** Returns the type of a JSON value, for messages that must not contain the value. */
export function typeText(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether the list has the list kind of the resource. Throws INVALID_RESPONSE if the response cannot be a list of the resource. */
function checkKind(answer: JsonObject, { resource, metadataOnly, attempted }: ListedResource): boolean {
  const { kind, apiVersion, rows } = answer;
  if (kind === 'Table' || rows !== undefined) {
    throw invalidResponse(attempted, 'the server returned a Table, which contains no objects');
  }
  if (metadataOnly && kind === PARTIAL_LIST_KIND) return true;
  const expected = `${resource.kind}List`;
  if (kind === expected && apiVersion === resource.apiVersion) return true;
  const mayDiffer = resource.builtIn !== true && resource.group !== '';
  const isList = typeof kind === 'string' && kind !== resource.kind && kind !== 'Status';
  if (mayDiffer && isList && apiVersion === resource.apiVersion) return false;
  throw invalidResponse(
    attempted,
    `the server returned ${kindText(kind, apiVersion)} instead of ${expected} of ${resource.apiVersion}`,
  );
}

/** Returns a kind and its apiVersion, for messages about a response with an unexpected kind. */
export function kindText(kind: unknown, apiVersion: unknown): string {
  if (typeof kind !== 'string' || kind === '') return 'an object without a kind';
  return `${kind} of ${typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : 'no apiVersion'}`;
}

function notText(field: string, value: unknown): string {
  return `'metadata.${field}' of the list is ${typeText(value)} instead of a string`;
}
