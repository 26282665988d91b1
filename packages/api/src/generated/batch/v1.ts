// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface CronJob extends KubeObject {
  readonly apiVersion: 'batch/v1';
  readonly kind: 'CronJob';
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus | undefined;
}
export const CronJob: BuiltInKind<CronJob> = /* @__PURE__ */ builtInKind(definitions, 'CronJob');

export interface CronJobSpec {
  readonly concurrencyPolicy?: string | undefined;
  readonly failedJobsHistoryLimit?: number | undefined;
  readonly jobTemplate: JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number | undefined;
  readonly successfulJobsHistoryLimit?: number | undefined;
  readonly suspend?: boolean | undefined;
  readonly timeZone?: string | undefined;
}
export const CronJobSpec: BuiltInPart<CronJobSpec> = /* @__PURE__ */ builtInPart(definitions, 'CronJobSpec');

export interface CronJobStatus {
  readonly active?: readonly core_v1.ObjectReference[] | undefined;
  readonly lastScheduleTime?: string | undefined;
  readonly lastSuccessfulTime?: string | undefined;
}
export const CronJobStatus: BuiltInPart<CronJobStatus> = /* @__PURE__ */ builtInPart(definitions, 'CronJobStatus');

export interface Job extends KubeObject {
  readonly apiVersion: 'batch/v1';
  readonly kind: 'Job';
  readonly spec: JobSpec;
  readonly status?: JobStatus | undefined;
}
export const Job: BuiltInKind<Job> = /* @__PURE__ */ builtInKind(definitions, 'Job');

export interface JobCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const JobCondition: BuiltInPart<JobCondition> = /* @__PURE__ */ builtInPart(definitions, 'JobCondition');

export interface JobSpec {
  readonly activeDeadlineSeconds?: number | undefined;
  readonly backoffLimit?: number | undefined;
  readonly backoffLimitPerIndex?: number | undefined;
  readonly completionMode?: string | undefined;
  readonly completions?: number | undefined;
  readonly managedBy?: string | undefined;
  readonly manualSelector?: boolean | undefined;
  readonly maxFailedIndexes?: number | undefined;
  readonly parallelism?: number | undefined;
  readonly podFailurePolicy?: PodFailurePolicy | undefined;
  readonly podReplacementPolicy?: string | undefined;
  readonly selector?: meta_v1.LabelSelector | undefined;
  readonly successPolicy?: SuccessPolicy | undefined;
  readonly suspend?: boolean | undefined;
  readonly template: core_v1.PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number | undefined;
}
export const JobSpec: BuiltInPart<JobSpec> = /* @__PURE__ */ builtInPart(definitions, 'JobSpec');

export interface JobStatus {
  readonly active?: number | undefined;
  readonly completedIndexes?: string | undefined;
  readonly completionTime?: string | undefined;
  readonly conditions?: readonly JobCondition[] | undefined;
  readonly failed?: number | undefined;
  readonly failedIndexes?: string | undefined;
  readonly ready?: number | undefined;
  readonly startTime?: string | undefined;
  readonly succeeded?: number | undefined;
  readonly terminating?: number | undefined;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}
export const JobStatus: BuiltInPart<JobStatus> = /* @__PURE__ */ builtInPart(definitions, 'JobStatus');

export interface JobTemplateSpec {
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec?: JobSpec | undefined;
}
export const JobTemplateSpec: BuiltInPart<JobTemplateSpec> = /* @__PURE__ */ builtInPart(definitions, 'JobTemplateSpec');

export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}
export const PodFailurePolicy: BuiltInPart<PodFailurePolicy> = /* @__PURE__ */ builtInPart(definitions, 'PodFailurePolicy');

export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string | undefined;
  readonly operator: string;
  readonly values: readonly number[];
}
export const PodFailurePolicyOnExitCodesRequirement: BuiltInPart<PodFailurePolicyOnExitCodesRequirement> = /* @__PURE__ */ builtInPart(definitions, 'PodFailurePolicyOnExitCodesRequirement');

export interface PodFailurePolicyOnPodConditionsPattern {
  readonly status?: string | undefined;
  readonly type: string;
}
export const PodFailurePolicyOnPodConditionsPattern: BuiltInPart<PodFailurePolicyOnPodConditionsPattern> = /* @__PURE__ */ builtInPart(definitions, 'PodFailurePolicyOnPodConditionsPattern');

export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[] | undefined;
}
export const PodFailurePolicyRule: BuiltInPart<PodFailurePolicyRule> = /* @__PURE__ */ builtInPart(definitions, 'PodFailurePolicyRule');

export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}
export const SuccessPolicy: BuiltInPart<SuccessPolicy> = /* @__PURE__ */ builtInPart(definitions, 'SuccessPolicy');

export interface SuccessPolicyRule {
  readonly succeededCount?: number | undefined;
  readonly succeededIndexes?: string | undefined;
}
export const SuccessPolicyRule: BuiltInPart<SuccessPolicyRule> = /* @__PURE__ */ builtInPart(definitions, 'SuccessPolicyRule');

export interface UncountedTerminatedPods {
  readonly failed?: readonly string[] | undefined;
  readonly succeeded?: readonly string[] | undefined;
}
export const UncountedTerminatedPods: BuiltInPart<UncountedTerminatedPods> = /* @__PURE__ */ builtInPart(definitions, 'UncountedTerminatedPods');
