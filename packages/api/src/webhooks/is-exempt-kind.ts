import type { KindInfo } from '../metadata/kind-info.js';

const EXEMPT = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
];

/**
 * Whether API servers never send objects of the kind to webhooks, and never evaluate policies for them. Otherwise, a webhook or a policy
 * could prevent its own removal.
 */
export function isExemptKind({ group, kind }: Pick<KindInfo, 'group' | 'kind'>): boolean {
  return group === 'admissionregistration.k8s.io' && EXEMPT.includes(kind);
}
