import type { KubeObject, ObjectMeta } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { type ListAnswer, listAnswerOf } from '../../transport/answer/list-answer.js';
import { PARTIAL_LIST } from '../../transport/answer/partial-metadata.js';
import { resourcePath } from '../../transport/request/resource-path.js';
import type { ObjectSource } from './object-source.js';
import { isNewer } from '../store/overlay.js';

/** The newest change among the objects of a collection. */
export interface NewestChange {
  /** The state of the object after the change. For a deletion, the last state of the object. */
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** A version of a collection, and the newest change up to this version. */
export interface KnownState {
  readonly resourceVersion: string;
  /** The newest change up to the version. Undefined if no change is known. */
  readonly newest: NewestChange | undefined;
}

type KnownChange = KnownState & { readonly newest: NewestChange };

/**
 * The result of comparing the history of the server with a known state:
 * - `same`: there is no sign that the histories differ.
 * - `other`: the server was restored. It has an older state than the known state, or never had the known state.
 * - `unknown`: the server no longer has the history, or has a change that the watch did not deliver.
 */
export type HistoryVerdict = 'same' | 'other' | 'unknown';

interface ListedMetadata {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
}

/**
 * Compares the history of the API server with a known state. Requests the metadata of the object that changed last. If this object was
 * changed or deleted after the known version, requests the object again at exactly the known version. If no change is known, or if the
 * server does not support these requests, compares only the versions. Rejects if the comparison is currently not possible.
 */
export async function checkHistory<T extends KubeObject>(
  source: ObjectSource<T>,
  known: KnownState,
  signal: AbortSignal,
): Promise<HistoryVerdict> {
  const { newest } = known;
  try {
    if (newest !== undefined) return await verdictByObject(source, { ...known, newest }, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) return 'unknown';
    if (!isUnsupported(error)) throw error;
  }
  return verdictOnVersion(known, await list(source, anyObject(source), signal));
}

async function verdictByObject<T extends KubeObject>(
  source: ObjectSource<T>,
  known: KnownChange,
  signal: AbortSignal,
): Promise<HistoryVerdict> {
  const { path, query } = onlyObject(source, known.newest.object);
  const verdict = verdictOnNewest(known, await list(source, { path, query }, signal));
  if (verdict !== undefined) return verdict;
  const exactly = { ...query, resourceVersion: known.resourceVersion, resourceVersionMatch: 'Exact' };
  return verdictOnExact(known, await list(source, { path, query: exactly }, signal));
}

async function list<T extends KubeObject>(
  { name, resource, transport }: ObjectSource<T>,
  request: ListedMetadata,
  signal: AbortSignal,
): Promise<ListAnswer> {
  const attempted = `list ${name} to compare its history`;
  const answer = await transport.request<unknown>({
    method: 'GET',
    ...request,
    accept: PARTIAL_LIST,
    signal,
    attempted,
  });
  return listAnswerOf(answer, { resource, metadataOnly: true, attempted });
}

/**
 * Returns a list request for a single object, to get the current version of the collection. Does not use the label selector, because the
 * server might have to read all objects to find a match.
 */
function anyObject<T extends KubeObject>({ path, fieldSelector }: ObjectSource<T>): ListedMetadata {
  // A role with `resourceNames` allows only lists that select one of these names.
  const namesOne = fieldSelector?.startsWith('metadata.name=');
  return { path, query: { limit: 1, fieldSelector: namesOne ? fieldSelector : undefined } };
}

function onlyObject<T extends KubeObject>(
  { path, resource }: ObjectSource<T>,
  { metadata }: KubeObject,
): ListedMetadata {
  const { name, namespace } = metadata;
  return {
    path: namespace === undefined ? path : resourcePath(resource, { namespace }),
    query: { fieldSelector: `metadata.name=${name}` },
  };
}

function verdictOnVersion(known: KnownState, answer: ListAnswer): HistoryVerdict {
  return answer.resourceVersion !== '' && isNewer(known.resourceVersion, answer.resourceVersion) ? 'other' : 'same';
}

/**
 * Compares the current state of the object that changed last. Returns undefined if the object was changed or deleted since then. In this
 * case, only the state at the known version shows whether the histories differ.
 */
function verdictOnNewest(known: KnownChange, answer: ListAnswer): HistoryVerdict | undefined {
  if (verdictOnVersion(known, answer) === 'other') return 'other';
  const { metadata } = known.newest.object;
  const found = listed(answer, metadata);
  if (found?.uid !== metadata.uid) return undefined;
  if (isNewer(metadata.resourceVersion, found.resourceVersion ?? '')) return 'other';
  return found.resourceVersion === metadata.resourceVersion ? 'same' : undefined;
}

function verdictOnExact(known: KnownChange, answer: ListAnswer): HistoryVerdict {
  // The server ignored the exact version, so the response does not show the state at the known version.
  if (answer.resourceVersion !== known.resourceVersion) return 'same';
  const { metadata } = known.newest.object;
  const found = listed(answer, metadata);
  if (found === undefined && answer.items.length > 0) return 'same';
  if (found?.uid !== metadata.uid) return known.newest.isDeleted ? 'same' : 'other';
  if (isNewer(metadata.resourceVersion, found.resourceVersion ?? '')) return 'other';
  return known.newest.isDeleted || found.resourceVersion === metadata.resourceVersion ? 'same' : 'unknown';
}

function listed(answer: ListAnswer, { name, namespace }: ObjectMeta): Partial<ObjectMeta> | undefined {
  return answer.items
    .map((item) => (item as { readonly metadata?: Partial<ObjectMeta> } | null)?.metadata)
    .find((metadata) => metadata?.name === name && metadata.namespace === namespace);
}

/**
 * Returns whether the error shows that the server does not support selectors or exact versions. This is the case for a 4xx status except
 * 429, and for an invalid response. Returns false for all other errors, because a later request may succeed.
 */
function isUnsupported(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 500 && error.status !== 429;
  return error instanceof KubewrightError && error.code === 'INVALID_RESPONSE';
}
