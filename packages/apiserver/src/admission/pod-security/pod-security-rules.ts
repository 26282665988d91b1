import { append } from '@kubewright/api/json';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { forbidden, invalid } from '../../registry/requests/status-errors.js';
import { newPodSecurityWarnings } from './namespace-warnings.js';
import { compareLevels, levelText, securityPolicy } from './security-policy.js';
import { violationsOf, violationsText } from './violations.js';

/** The Pod, or the Pod template of a workload, and the labels of its namespace. */
interface LabeledPod {
  readonly pod: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether a violation of the enforced level is an error. */
  readonly isEnforced: boolean;
}

/** Throws 403 for a Pod that violates the enforced level. Adds a warning about a violation of the level of `warn`. */
export function checkPod(
  { definition, key, context }: AdmissionRequest,
  { pod, labels, isEnforced }: LabeledPod,
): void {
  const { enforce, warn } = securityPolicy(labels);
  const broken = isEnforced ? violationsOf(pod, enforce) : [];
  if (broken.length > 0) {
    const why = `violates PodSecurity "${levelText(enforce)}": ${violationsText(broken)}`;
    throw forbidden(definition, key.name, { why });
  }
  const warned = violationsOf(pod, warn);
  if (warned.length === 0) return;
  context.warnings.push(`would violate PodSecurity "${levelText(warn)}": ${violationsText(warned)}`);
}

/**
 * Throws 422 if the labels of a new namespace are invalid, or if an update changes the errors of the labels. Adds warnings about existing
 * Pods that violate a new enforced level.
 */
export function checkNamespace({ definition, key, object, old, registry, context }: AdmissionRequest): void {
  const { enforce, errors } = securityPolicy(object?.metadata.labels ?? {});
  const before = securityPolicy(old?.metadata.labels ?? {});
  const texts = (found: typeof errors): string => JSON.stringify(found);
  if (errors.length > 0 && (old === undefined || texts(errors) !== texts(before.errors))) {
    throw invalid(definition, key.name, errors);
  }
  if (old === undefined || levelText(enforce) === levelText(before.enforce)) return;
  const isRelaxed =
    enforce.version === before.enforce.version && compareLevels(enforce.level, before.enforce.level) <= 0;
  if (isRelaxed || enforce.level === 'privileged') return;
  const { items } = registry.builtIn('/v1/pods').list({ namespace: key.name });
  append(context.warnings, newPodSecurityWarnings(key.name, enforce, items));
}
