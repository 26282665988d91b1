import type { Registry } from '../../registry/registry.js';

const buckets = [
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
].map((plural) => `admissionregistration.k8s.io/${plural}`);

/** Whether the server has policies or webhooks that could review a write. If the server has none, a controller can write with less work. */
export function hasReviewers({ store }: Registry): boolean {
  return buckets.some((bucket) => store.list(bucket).length > 0);
}
