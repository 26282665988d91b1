import { isObject, stringAt } from '../objects/json-object.js';
import { WebhookCallError } from './webhook-call-error.js';

/** The type of a review, such as an AdmissionReview. */
export interface ReviewType {
  readonly group: string;
  /** The version of the request. */
  readonly version: string;
  readonly kind: string;
}

/** The review versions that a kube-apiserver knows. All kinds of reviews have these versions. */
const versions: readonly string[] = ['v1', 'v1beta1'];
/** The name of the scheme in the error texts of a kube-apiserver. */
const scheme = 'pkg/runtime/scheme.go:111';

/**
 * Returns the response of a webhook as a review of the type. As in a kube-apiserver, the response can omit its apiVersion and kind. Throws
 * a WebhookCallError if the response has another type.
 */
export function readReview(answer: unknown, { group, version, kind }: ReviewType): Record<string, unknown> {
  const review = isObject(answer) ? answer : {};
  const requested = `${group}/${version}`;
  const found = {
    apiVersion: stringAt(review, 'apiVersion') || requested,
    kind: stringAt(review, 'kind') || kind,
  };
  if (found.apiVersion === requested && found.kind === kind) return review;
  const [ownVersion, ownGroup = ''] = found.apiVersion.split('/').toReversed();
  if (ownGroup !== group || found.kind !== kind || !versions.includes(ownVersion ?? '')) {
    const what = `no kind "${found.kind}" is registered for version "${found.apiVersion}"`;
    throw new WebhookCallError(`${what} in scheme "${scheme}"`);
  }
  const [from, to] = [`${ownVersion}.${kind}`, `${version}.${kind}`];
  throw new WebhookCallError(`converting (${from}) to (${to}): unknown conversion`);
}
