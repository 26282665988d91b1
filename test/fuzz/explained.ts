/**
 * Messages of responses with status 500 that a kube-apiserver also returns. The recorded responses in test/contract/answers contain almost
 * all of these messages. Every other response with status 500 is a defect.
 */
const explained: readonly RegExp[] = [
  /^failed to create (typed patch object|manager for existing fields)/,
  /^failed to convert (new|live) object/,
  /^Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'$/,
  /^Internal error occurred: the spec replicas field ".*" does not exist$/s,
  /^Non-matching dry-run options in request and content/,
  /^The order in patch list:/,
  /^This pod has more than one PodDisruptionBudget/,
  /target\.(kind|name): /,
  /^content is not a list$/,
  /^etcdserver: request is too large$/,
  /^rpc error: code = ResourceExhausted/,
  /^expected a \[\]interface \{\}, but received/,
  /does not contain declared merge key/,
  /^unknown patch type: /,
  /^delete patch type with no merge key defined$/,
  /^unable to find api field in struct /,
  /^list element types are not identical: /,
  /^resource name may not be empty$/,
  /^resourceVersion should not be set on objects to be created$/,
  /^(resourceVersion: Invalid value: .*)?strconv\.ParseUint: /s,
  /^unsupported role reference kind: /,
  /^Get "https:/,
  /^error dialing backend: /,
  /^can only have a certificate signed after it has been approved$/,
];

/** Whether a kube-apiserver also returns 500 with this message. */
export function isExplained(message: string): boolean {
  return explained.some((pattern) => pattern.test(message));
}
