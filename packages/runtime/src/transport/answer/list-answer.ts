import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import type { ResourceInfo } from '../request/resource-path.js';

const PARTIAL_LIST_KIND = 'PartialObjectMetadataList';

/** The fields of a list answer. */
export interface ListAnswer {
  /** The value of `items`: empty if the caller cut the items out of the bytes. */
  readonly items: readonly unknown[];
  /** Empty if the server does not version its lists. */
  readonly resourceVersion: string;
  /** The token for the next page; empty on the last page. */
  readonly continueToken: string;
  /** The number of objects after this page; undefined if the server does not report the number. */
  readonly remaining: number | undefined;
  /** Whether the kind of the list is the list kind of the resource, or a list of metadata. */
  readonly isExpectedKind: boolean;
}

/** The listed resource, for the check and its messages. */
export interface ListedResource {
  readonly resource: ResourceInfo;
  /** Whether only metadata was requested. */
  readonly metadataOnly: boolean;
  /** A description of the request, for the message. */
  readonly attempted: string;
}

/**
 * Checks that a parsed answer is a list of the resource. Throws INVALID_ANSWER otherwise, so that a malformed answer is not used as an
 * empty list. The message names the defect and never quotes the answer.
 *
 * The list kind of a custom resource can have any name. For kinds that are not built into Kubernetes, the function compares only the group
 * version. The caller checks the kinds of the items.
 */
export function listAnswerOf(answer: unknown, listed: ListedResource): ListAnswer {
  const invalid = (defect: string): KubewrightError => invalidAnswer(listed.attempted, defect);
  if (!isJsonObject(answer)) throw invalid(`the response is not a list but ${typeText(answer)}`);
  const { metadata = {}, items } = answer;
  const isExpectedKind = checkKind(answer, listed);
  if (!isJsonObject(metadata)) throw invalid(`'metadata' of the list is ${typeText(metadata)} instead of an object`);
  const { resourceVersion = '', continue: continueToken = '', remainingItemCount } = metadata;
  if (typeof resourceVersion !== 'string') throw invalid(notText('resourceVersion', resourceVersion));
  if (typeof continueToken !== 'string') throw invalid(notText('continue', continueToken));
  // A kube-apiserver sends null for an empty list of metadata, and for no other list.
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

/** Returns the error for an answer that is valid JSON but does not conform to the Kubernetes API. */
export function invalidAnswer(attempted: string, defect: string): KubewrightError {
  return new KubewrightError(
    'INVALID_ANSWER',
    `${attempted}: ${defect}; check that an API server answers at this address`,
  );
}

/** Returns the type of a JSON value in words, for messages that must not quote the value. */
export function typeText(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether the list has the kind of the resource. Throws INVALID_ANSWER if the answer cannot be a list of the resource. */
function checkKind(answer: JsonObject, { resource, metadataOnly, attempted }: ListedResource): boolean {
  const { kind, apiVersion, rows } = answer;
  if (kind === 'Table' || rows !== undefined) {
    throw invalidAnswer(attempted, 'the server returned a Table, which contains no objects');
  }
  if (metadataOnly && kind === PARTIAL_LIST_KIND) return true;
  const expected = `${resource.kind}List`;
  if (kind === expected && apiVersion === resource.apiVersion) return true;
  const mayDiffer = resource.builtIn !== true && resource.group !== '';
  const isList = typeof kind === 'string' && kind !== resource.kind && kind !== 'Status';
  if (mayDiffer && isList && apiVersion === resource.apiVersion) return false;
  throw invalidAnswer(
    attempted,
    `the server returned ${kindText(kind, apiVersion)} instead of ${expected} of ${resource.apiVersion}`,
  );
}

/** Returns a kind and its group version in words, for messages about an answer of another kind. */
export function kindText(kind: unknown, apiVersion: unknown): string {
  if (typeof kind !== 'string' || kind === '') return 'an object without a kind';
  return `${kind} of ${typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : 'no apiVersion'}`;
}

function notText(field: string, value: unknown): string {
  return `'metadata.${field}' of the list is ${typeText(value)} instead of a string`;
}
