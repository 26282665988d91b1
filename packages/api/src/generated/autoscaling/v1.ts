// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface CrossVersionObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
}
export const CrossVersionObjectReference: BuiltInPart<CrossVersionObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'CrossVersionObjectReference');

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly apiVersion: 'autoscaling/v1';
  readonly kind: 'HorizontalPodAutoscaler';
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus | undefined;
}
export const HorizontalPodAutoscaler: BuiltInKind<HorizontalPodAutoscaler> = /* @__PURE__ */ builtInKind(definitions, 'HorizontalPodAutoscaler');

export interface HorizontalPodAutoscalerSpec {
  readonly maxReplicas: number;
  readonly minReplicas?: number | undefined;
  readonly scaleTargetRef: CrossVersionObjectReference;
  readonly targetCPUUtilizationPercentage?: number | undefined;
}
export const HorizontalPodAutoscalerSpec: BuiltInPart<HorizontalPodAutoscalerSpec> = /* @__PURE__ */ builtInPart(definitions, 'HorizontalPodAutoscalerSpec');

export interface HorizontalPodAutoscalerStatus {
  readonly currentCPUUtilizationPercentage?: number | undefined;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}
export const HorizontalPodAutoscalerStatus: BuiltInPart<HorizontalPodAutoscalerStatus> = /* @__PURE__ */ builtInPart(definitions, 'HorizontalPodAutoscalerStatus');

export interface Scale {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: meta_v1.ObjectMeta | undefined;
  readonly spec?: ScaleSpec | undefined;
  readonly status?: ScaleStatus | undefined;
}
export const Scale: BuiltInPart<Scale> = /* @__PURE__ */ builtInPart(definitions, 'Scale');

export interface ScaleSpec {
  readonly replicas?: number | undefined;
}
export const ScaleSpec: BuiltInPart<ScaleSpec> = /* @__PURE__ */ builtInPart(definitions, 'ScaleSpec');

export interface ScaleStatus {
  readonly replicas: number;
  readonly selector?: string | undefined;
}
export const ScaleStatus: BuiltInPart<ScaleStatus> = /* @__PURE__ */ builtInPart(definitions, 'ScaleStatus');
