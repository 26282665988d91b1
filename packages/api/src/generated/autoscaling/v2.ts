// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v2-definitions.js';

export interface ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: MetricTarget;
}
export const ContainerResourceMetricSource: BuiltInPart<ContainerResourceMetricSource> = /* @__PURE__ */ builtInPart(definitions, 'ContainerResourceMetricSource');

export interface ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: MetricValueStatus;
  readonly name: string;
}
export const ContainerResourceMetricStatus: BuiltInPart<ContainerResourceMetricStatus> = /* @__PURE__ */ builtInPart(definitions, 'ContainerResourceMetricStatus');

export interface CrossVersionObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
}
export const CrossVersionObjectReference: BuiltInPart<CrossVersionObjectReference> = /* @__PURE__ */ builtInPart(definitions, 'CrossVersionObjectReference');

export interface ExternalMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}
export const ExternalMetricSource: BuiltInPart<ExternalMetricSource> = /* @__PURE__ */ builtInPart(definitions, 'ExternalMetricSource');

export interface ExternalMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}
export const ExternalMetricStatus: BuiltInPart<ExternalMetricStatus> = /* @__PURE__ */ builtInPart(definitions, 'ExternalMetricStatus');

export interface HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}
export const HPAScalingPolicy: BuiltInPart<HPAScalingPolicy> = /* @__PURE__ */ builtInPart(definitions, 'HPAScalingPolicy');

export interface HPAScalingRules {
  readonly policies?: readonly HPAScalingPolicy[] | undefined;
  readonly selectPolicy?: string | undefined;
  readonly stabilizationWindowSeconds?: number | undefined;
  readonly tolerance?: string | undefined;
}
export const HPAScalingRules: BuiltInPart<HPAScalingRules> = /* @__PURE__ */ builtInPart(definitions, 'HPAScalingRules');

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly apiVersion: 'autoscaling/v2';
  readonly kind: 'HorizontalPodAutoscaler';
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus | undefined;
}
export const HorizontalPodAutoscaler: BuiltInKind<HorizontalPodAutoscaler> = /* @__PURE__ */ builtInKind(definitions, 'HorizontalPodAutoscaler');

export interface HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: HPAScalingRules | undefined;
  readonly scaleUp?: HPAScalingRules | undefined;
}
export const HorizontalPodAutoscalerBehavior: BuiltInPart<HorizontalPodAutoscalerBehavior> = /* @__PURE__ */ builtInPart(definitions, 'HorizontalPodAutoscalerBehavior');

export interface HorizontalPodAutoscalerCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const HorizontalPodAutoscalerCondition: BuiltInPart<HorizontalPodAutoscalerCondition> = /* @__PURE__ */ builtInPart(definitions, 'HorizontalPodAutoscalerCondition');

export interface HorizontalPodAutoscalerSpec {
  readonly behavior?: HorizontalPodAutoscalerBehavior | undefined;
  readonly maxReplicas: number;
  readonly metrics?: readonly MetricSpec[] | undefined;
  readonly minReplicas?: number | undefined;
  readonly scaleTargetRef: CrossVersionObjectReference;
}
export const HorizontalPodAutoscalerSpec: BuiltInPart<HorizontalPodAutoscalerSpec> = /* @__PURE__ */ builtInPart(definitions, 'HorizontalPodAutoscalerSpec');

export interface HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[] | undefined;
  readonly currentMetrics?: readonly MetricStatus[] | undefined;
  readonly currentReplicas?: number | undefined;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}
export const HorizontalPodAutoscalerStatus: BuiltInPart<HorizontalPodAutoscalerStatus> = /* @__PURE__ */ builtInPart(definitions, 'HorizontalPodAutoscalerStatus');

export interface MetricIdentifier {
  readonly name: string;
  readonly selector?: meta_v1.LabelSelector | undefined;
}
export const MetricIdentifier: BuiltInPart<MetricIdentifier> = /* @__PURE__ */ builtInPart(definitions, 'MetricIdentifier');

export interface MetricSpec {
  readonly containerResource?: ContainerResourceMetricSource | undefined;
  readonly external?: ExternalMetricSource | undefined;
  readonly object?: ObjectMetricSource | undefined;
  readonly pods?: PodsMetricSource | undefined;
  readonly resource?: ResourceMetricSource | undefined;
  readonly type: string;
}
export const MetricSpec: BuiltInPart<MetricSpec> = /* @__PURE__ */ builtInPart(definitions, 'MetricSpec');

export interface MetricStatus {
  readonly containerResource?: ContainerResourceMetricStatus | undefined;
  readonly external?: ExternalMetricStatus | undefined;
  readonly object?: ObjectMetricStatus | undefined;
  readonly pods?: PodsMetricStatus | undefined;
  readonly resource?: ResourceMetricStatus | undefined;
  readonly type: string;
}
export const MetricStatus: BuiltInPart<MetricStatus> = /* @__PURE__ */ builtInPart(definitions, 'MetricStatus');

export interface MetricTarget {
  readonly averageUtilization?: number | undefined;
  readonly averageValue?: string | undefined;
  readonly type: string;
  readonly value?: string | undefined;
}
export const MetricTarget: BuiltInPart<MetricTarget> = /* @__PURE__ */ builtInPart(definitions, 'MetricTarget');

export interface MetricValueStatus {
  readonly averageUtilization?: number | undefined;
  readonly averageValue?: string | undefined;
  readonly value?: string | undefined;
}
export const MetricValueStatus: BuiltInPart<MetricValueStatus> = /* @__PURE__ */ builtInPart(definitions, 'MetricValueStatus');

export interface ObjectMetricSource {
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}
export const ObjectMetricSource: BuiltInPart<ObjectMetricSource> = /* @__PURE__ */ builtInPart(definitions, 'ObjectMetricSource');

export interface ObjectMetricStatus {
  readonly current: MetricValueStatus;
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
}
export const ObjectMetricStatus: BuiltInPart<ObjectMetricStatus> = /* @__PURE__ */ builtInPart(definitions, 'ObjectMetricStatus');

export interface PodsMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}
export const PodsMetricSource: BuiltInPart<PodsMetricSource> = /* @__PURE__ */ builtInPart(definitions, 'PodsMetricSource');

export interface PodsMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}
export const PodsMetricStatus: BuiltInPart<PodsMetricStatus> = /* @__PURE__ */ builtInPart(definitions, 'PodsMetricStatus');

export interface ResourceMetricSource {
  readonly name: string;
  readonly target: MetricTarget;
}
export const ResourceMetricSource: BuiltInPart<ResourceMetricSource> = /* @__PURE__ */ builtInPart(definitions, 'ResourceMetricSource');

export interface ResourceMetricStatus {
  readonly current: MetricValueStatus;
  readonly name: string;
}
export const ResourceMetricStatus: BuiltInPart<ResourceMetricStatus> = /* @__PURE__ */ builtInPart(definitions, 'ResourceMetricStatus');
