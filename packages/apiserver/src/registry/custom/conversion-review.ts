import type { JsonObject } from '../objects/api-object.js';
import { isObject, stringAt, valueAt } from '../objects/json-object.js';
import { readReview } from '../webhooks/read-review.js';
import { WebhookCallError } from '../webhooks/webhook-call-error.js';

const group = 'apiextensions.k8s.io';
const kind = 'ConversionReview';
const known: readonly string[] = ['v1', 'v1beta1'];

/** The request to convert objects, and the function that reads the response. */
export interface ConversionReview {
  readonly body: object;
  /**
   * Returns the converted objects in a response. Throws a WebhookCallError if the webhook refuses the request or the response is invalid.
   */
  readonly converted: (answer: unknown) => readonly unknown[];
}

/**
 * Returns a review that requests the conversion of objects to an apiVersion. Uses the first of the given review versions that the server
 * knows. Returns undefined if the server knows none of these versions.
 */
export function conversionReview(
  objects: readonly JsonObject[],
  {
    apiVersion,
    versions,
    uid,
  }: { readonly apiVersion: string; readonly versions: readonly string[]; readonly uid: string },
): ConversionReview | undefined {
  const version = versions.find((each) => known.includes(each));
  if (version === undefined) return undefined;
  return {
    body: {
      kind,
      apiVersion: `${group}/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects },
      // As in a kube-apiserver, the request contains an empty response.
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    },
    converted: (answer) => {
      const review = readReview(answer, { group, version, kind });
      if (version === 'v1') checkType(review);
      const response = review['response'];
      if (!isObject(response)) throw new WebhookCallError('no response provided');
      if (version === 'v1') checkUid(response, uid);
      checkResult(response);
      const { convertedObjects } = response;
      return Array.isArray(convertedObjects) ? convertedObjects : [];
    },
  };
}

function checkType(review: JsonObject): void {
  const [found, expected] = [typeText(review), `${group}/v1, Kind=${kind}`];
  if (found !== expected) throw new WebhookCallError(`expected webhook response of ${expected}, got ${found}`);
}

function checkUid(response: JsonObject, expected: string): void {
  const found = stringAt(response, 'uid');
  if (found === expected) return;
  throw new WebhookCallError(`expected response.uid="${expected}", got ${JSON.stringify(found)}`);
}

function checkResult(response: JsonObject): void {
  const status = stringAt(response, 'result', 'status');
  if (status === 'Success') return;
  const message = stringAt(response, 'result', 'message');
  throw new WebhookCallError(message || `response.result.status was '${status}', not 'Success'`);
}

/** Returns the type of an object in the format of Go: `example.com/v1, Kind=Example`. */
export function typeText(object: JsonObject): string {
  const apiVersion = stringAt(object, 'apiVersion');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${String(valueAt(object, 'kind') ?? '')}`;
}
