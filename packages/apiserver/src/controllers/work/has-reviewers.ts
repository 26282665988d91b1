import type { Registry } from '../../registry/registry.js';

const buckets = [
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
].map((plural) => `admissionregistration.k8s.io/${plural}`);

/** Returns whether a policy or a webhook can review writes: whether the server has a policy binding or a webhook configuration. */
export function hasReviewers({ store }: Registry): boolean {
  return buckets.some((bucket) => store.list(bucket).length > 0);
}
