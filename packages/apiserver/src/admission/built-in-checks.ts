import type { AdmissionCheck, Charge } from '../registry/admission/admission-check.js';
import { defaultIngressClass } from './default-ingress-class.js';
import { defaultTolerations, newNodeTaint } from './default-tolerations.js';
import { limitDefaults, limitRanger } from './limit-ranger.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import { podSecurity } from './pod-security/pod-security.js';
import { oneDefaultPriority, podPriority } from './pod-priority.js';
import { mountableSecrets, podServiceAccount } from './pod-service-account.js';
import { resourceQuota } from './resource-quota.js';
import { runtimeClass, runtimeClassOverhead } from './runtime-class.js';
import { claimResize, defaultStorageClass, storageProtection } from './storage-defaults.js';
import { systemPriorityProtection } from './system-priorities.js';

/** The admission checks that run before the validation of each write, in this order. These checks can change the object. */
export const builtInChecks: readonly AdmissionCheck[] = [
  namespaceLifecycle,
  limitDefaults,
  podServiceAccount,
  newNodeTaint,
  podPriority,
  defaultTolerations,
  defaultStorageClass,
  storageProtection,
  runtimeClass,
  defaultIngressClass,
  systemPriorityProtection,
];

/** The admission checks that run after the validation of each write, in this order. */
export const lastChecks: readonly AdmissionCheck[] = [
  // A namespace can be deleted between the steps of a write.
  namespaceLifecycle,
  limitRanger,
  mountableSecrets,
  podSecurity,
  oneDefaultPriority,
  claimResize,
  runtimeClassOverhead,
];

/** The functions that add the resources of a valid write to the usage of quotas. */
export const charges: readonly Charge[] = [resourceQuota];
