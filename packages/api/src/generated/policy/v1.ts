// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface Eviction {
  readonly apiVersion?: string | undefined;
  readonly deleteOptions?: meta_v1.DeleteOptions | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: meta_v1.ObjectMeta | undefined;
}
export const Eviction: BuiltInPart<Eviction> = /* @__PURE__ */ builtInPart(definitions, 'Eviction');

export interface PodDisruptionBudget extends KubeObject {
  readonly apiVersion: 'policy/v1';
  readonly kind: 'PodDisruptionBudget';
  readonly spec: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus | undefined;
}
export const PodDisruptionBudget: BuiltInKind<PodDisruptionBudget> = /* @__PURE__ */ builtInKind(definitions, 'PodDisruptionBudget');

export interface PodDisruptionBudgetSpec {
  readonly maxUnavailable?: number | string | undefined;
  readonly minAvailable?: number | string | undefined;
  readonly selector?: meta_v1.LabelSelector | undefined;
  readonly unhealthyPodEvictionPolicy?: string | undefined;
}
export const PodDisruptionBudgetSpec: BuiltInPart<PodDisruptionBudgetSpec> = /* @__PURE__ */ builtInPart(definitions, 'PodDisruptionBudgetSpec');

export interface PodDisruptionBudgetStatus {
  readonly conditions?: readonly meta_v1.Condition[] | undefined;
  readonly currentHealthy?: number | undefined;
  readonly desiredHealthy?: number | undefined;
  readonly disruptedPods?: Readonly<Record<string, string>> | undefined;
  readonly disruptionsAllowed?: number | undefined;
  readonly expectedPods?: number | undefined;
  readonly observedGeneration?: number | undefined;
}
export const PodDisruptionBudgetStatus: BuiltInPart<PodDisruptionBudgetStatus> = /* @__PURE__ */ builtInPart(definitions, 'PodDisruptionBudgetStatus');
