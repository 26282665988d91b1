import { conditionProblems } from '@kubewright/api/cel';
import { KubewrightError } from '@kubewright/api/errors';
import type { DescribedAdmissionWebhook } from '@kubewright/runtime';
import { admissionSample } from '../admission-sample.js';
import type { ManifestsInput } from '../manifests-input.js';

/**
 * Compiles the match conditions of a webhook with the environment of the API server. If the project declares the kind, also evaluates the
 * conditions for a sample of the kind, with the cost budget of the API server.
 * @throws KubewrightError INVALID_WEBHOOK with all errors if a condition does not compile or exceeds the budget
 */
export function checkConditions(webhook: DescribedAdmissionWebhook, input: ManifestsInput): void {
  const { name, declaredBy = name, matchConditions } = webhook;
  if (matchConditions.length === 0) return;
  const sample = admissionSample(webhook, input.crds);
  const problems = conditionProblems(matchConditions, { schemas: {}, params: false, sample });
  if (problems.length === 0) return;
  const text = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new KubewrightError('INVALID_WEBHOOK', `cannot generate the webhook of ${declaredBy}: ${text}`);
}
