import { TypedReader, UnreadableError } from '../../registry/decoding/typed-reader.js';
import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { copyJson, isObject, objectAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import type { Review } from './review.js';
import { ReviewTypes } from './review-types.js';

/** The checked response of a webhook. */
export interface ReviewResponse {
  readonly allowed: boolean;
  /** The Status of a denial, if the webhook sets one. */
  readonly status: JsonObject | undefined;
  /** The decoded patch, or '' without a patch. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/** Reports a response that is not valid. The message has the wording of kube-apiserver. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}

const group = 'admission.k8s.io';
const types = new ReviewTypes();

/**
 * Checks the response of a webhook to a review. Throws an InvalidResponseError for an invalid response. As in a kube-apiserver, a v1beta1
 * response needs no uid and no patchType, and the patch of a validating webhook in a v1beta1 response is ignored.
 */
export function reviewResponse(answer: JsonObject, { uid, version }: Review, isMutating: boolean): ReviewResponse {
  const review = decoded(answer, version);
  if (!isObject(review['response'])) throw invalid('webhook response was absent');
  const response = review['response'];
  if (version === 'v1') checkIdentity(answer, response, uid);
  const sent = objectAt(answer, 'response');
  const patchType = typeof sent['patchType'] === 'string' ? sent['patchType'] : undefined;
  const encoded = stringAt(response, 'patch');
  if (version === 'v1') checkPatch({ hasPatch: encoded !== '', patchType }, isMutating);
  const isPatched = isMutating && encoded !== '';
  return {
    allowed: response['allowed'] === true,
    status: isObject(response['status']) ? response['status'] : undefined,
    patch: isPatched ? Buffer.from(encoded, 'base64').toString() : '',
    patchType: version === 'v1beta1' ? 'JSONPatch' : (patchType ?? ''),
    warnings: textsAt(response, 'warnings'),
  };
}

/**
 * Returns the review with checked types. Throws an InvalidResponseError if the answer is not an AdmissionReview of this version, or if a
 * field has a wrong type.
 */
function decoded(answer: JsonObject, version: Review['version']): JsonDraft {
  const apiVersion = stringAt(answer, 'apiVersion') || `${group}/${version}`;
  const kind = stringAt(answer, 'kind') || 'AdmissionReview';
  const known = [`${group}/v1`, `${group}/v1beta1`].includes(apiVersion);
  const isStatus = apiVersion === 'v1' && kind === 'Status';
  if (!isStatus && (!known || kind !== 'AdmissionReview')) {
    const named = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw failed(`${named} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const draft = copyJson(answer) as JsonDraft;
  if (!isStatus) readTypes(draft);
  if (apiVersion === `${group}/${version}`) return draft;
  const from = isStatus ? 'v1.Status' : `${apiVersion.slice(group.length + 1)}.AdmissionReview`;
  throw failed(`converting (${from}) to (${version}.AdmissionReview): unknown conversion`);
}

function readTypes(draft: JsonDraft): void {
  try {
    new TypedReader(types).read(draft, types.review);
  } catch (error) {
    if (error instanceof UnreadableError) throw failed(error.message);
    throw error;
  }
}

function checkIdentity(answer: JsonObject, response: JsonObject, uid: string): void {
  const found = stringAt(response, 'uid');
  if (found !== uid) throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(found)}`);
  const [apiVersion, kind] = [stringAt(answer, 'apiVersion'), stringAt(answer, 'kind')];
  if (apiVersion === `${group}/v1` && kind === 'AdmissionReview') return;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw invalid(`expected webhook response of ${group}/v1, Kind=AdmissionReview, got ${shown}, Kind=${kind}`);
}

function checkPatch(
  { hasPatch, patchType }: { readonly hasPatch: boolean; readonly patchType: string | undefined },
  isMutating: boolean,
): void {
  if (!isMutating) {
    if (hasPatch) throw invalid('validating webhook may not return response.patch');
    if (patchType !== undefined) throw invalid('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && patchType === undefined) {
    throw invalid('webhook returned response.patch but not response.patchType');
  }
  if (!hasPatch && patchType !== undefined) {
    throw invalid('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
}

function invalid(why: string): InvalidResponseError {
  return new InvalidResponseError(`received invalid webhook response: ${why}`);
}

function failed(why: string): InvalidResponseError {
  return new InvalidResponseError(`failed to call webhook: ${why}`);
}
