// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as core_v1 from '../core/v1.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface ControllerRevision extends KubeObject {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'ControllerRevision';
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly revision: number;
}
export const ControllerRevision: BuiltInKind<ControllerRevision> = /* @__PURE__ */ builtInKind(definitions, 'ControllerRevision');

export interface DaemonSet extends KubeObject {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'DaemonSet';
  readonly spec: DaemonSetSpec;
  readonly status?: DaemonSetStatus | undefined;
}
export const DaemonSet: BuiltInKind<DaemonSet> = /* @__PURE__ */ builtInKind(definitions, 'DaemonSet');

export interface DaemonSetCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const DaemonSetCondition: BuiltInPart<DaemonSetCondition> = /* @__PURE__ */ builtInPart(definitions, 'DaemonSetCondition');

export interface DaemonSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: meta_v1.LabelSelector;
  readonly template: core_v1.PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy | undefined;
}
export const DaemonSetSpec: BuiltInPart<DaemonSetSpec> = /* @__PURE__ */ builtInPart(definitions, 'DaemonSetSpec');

export interface DaemonSetStatus {
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly DaemonSetCondition[] | undefined;
  readonly currentNumberScheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberAvailable?: number | undefined;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberUnavailable?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly updatedNumberScheduled?: number | undefined;
}
export const DaemonSetStatus: BuiltInPart<DaemonSetStatus> = /* @__PURE__ */ builtInPart(definitions, 'DaemonSetStatus');

export interface DaemonSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateDaemonSet | undefined;
  readonly type?: string | undefined;
}
export const DaemonSetUpdateStrategy: BuiltInPart<DaemonSetUpdateStrategy> = /* @__PURE__ */ builtInPart(definitions, 'DaemonSetUpdateStrategy');

export interface Deployment extends KubeObject {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus | undefined;
}
export const Deployment: BuiltInKind<Deployment> = /* @__PURE__ */ builtInKind(definitions, 'Deployment');

export interface DeploymentCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly lastUpdateTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const DeploymentCondition: BuiltInPart<DeploymentCondition> = /* @__PURE__ */ builtInPart(definitions, 'DeploymentCondition');

export interface DeploymentSpec {
  readonly minReadySeconds?: number | undefined;
  readonly paused?: boolean | undefined;
  readonly progressDeadlineSeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: meta_v1.LabelSelector;
  readonly strategy?: DeploymentStrategy | undefined;
  readonly template: core_v1.PodTemplateSpec;
}
export const DeploymentSpec: BuiltInPart<DeploymentSpec> = /* @__PURE__ */ builtInPart(definitions, 'DeploymentSpec');

export interface DeploymentStatus {
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly DeploymentCondition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas?: number | undefined;
  readonly terminatingReplicas?: number | undefined;
  readonly unavailableReplicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
}
export const DeploymentStatus: BuiltInPart<DeploymentStatus> = /* @__PURE__ */ builtInPart(definitions, 'DeploymentStatus');

export interface DeploymentStrategy {
  readonly rollingUpdate?: RollingUpdateDeployment | undefined;
  readonly type?: string | undefined;
}
export const DeploymentStrategy: BuiltInPart<DeploymentStrategy> = /* @__PURE__ */ builtInPart(definitions, 'DeploymentStrategy');

export interface ReplicaSet extends KubeObject {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'ReplicaSet';
  readonly spec: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus | undefined;
}
export const ReplicaSet: BuiltInKind<ReplicaSet> = /* @__PURE__ */ builtInKind(definitions, 'ReplicaSet');

export interface ReplicaSetCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const ReplicaSetCondition: BuiltInPart<ReplicaSetCondition> = /* @__PURE__ */ builtInPart(definitions, 'ReplicaSetCondition');

export interface ReplicaSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly selector: meta_v1.LabelSelector;
  readonly template?: core_v1.PodTemplateSpec | undefined;
}
export const ReplicaSetSpec: BuiltInPart<ReplicaSetSpec> = /* @__PURE__ */ builtInPart(definitions, 'ReplicaSetSpec');

export interface ReplicaSetStatus {
  readonly availableReplicas?: number | undefined;
  readonly conditions?: readonly ReplicaSetCondition[] | undefined;
  readonly fullyLabeledReplicas?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
  readonly terminatingReplicas?: number | undefined;
}
export const ReplicaSetStatus: BuiltInPart<ReplicaSetStatus> = /* @__PURE__ */ builtInPart(definitions, 'ReplicaSetStatus');

export interface RollingUpdateDaemonSet {
  readonly maxSurge?: number | string | undefined;
  readonly maxUnavailable?: number | string | undefined;
}
export const RollingUpdateDaemonSet: BuiltInPart<RollingUpdateDaemonSet> = /* @__PURE__ */ builtInPart(definitions, 'RollingUpdateDaemonSet');

export interface RollingUpdateDeployment {
  readonly maxSurge?: number | string | undefined;
  readonly maxUnavailable?: number | string | undefined;
}
export const RollingUpdateDeployment: BuiltInPart<RollingUpdateDeployment> = /* @__PURE__ */ builtInPart(definitions, 'RollingUpdateDeployment');

export interface RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: number | string | undefined;
  readonly partition?: number | undefined;
}
export const RollingUpdateStatefulSetStrategy: BuiltInPart<RollingUpdateStatefulSetStrategy> = /* @__PURE__ */ builtInPart(definitions, 'RollingUpdateStatefulSetStrategy');

export interface StatefulSet extends KubeObject {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'StatefulSet';
  readonly spec: StatefulSetSpec;
  readonly status?: StatefulSetStatus | undefined;
}
export const StatefulSet: BuiltInKind<StatefulSet> = /* @__PURE__ */ builtInKind(definitions, 'StatefulSet');

export interface StatefulSetCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}
export const StatefulSetCondition: BuiltInPart<StatefulSetCondition> = /* @__PURE__ */ builtInPart(definitions, 'StatefulSetCondition');

export interface StatefulSetOrdinals {
  readonly start?: number | undefined;
}
export const StatefulSetOrdinals: BuiltInPart<StatefulSetOrdinals> = /* @__PURE__ */ builtInPart(definitions, 'StatefulSetOrdinals');

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string | undefined;
  readonly whenScaled?: string | undefined;
}
export const StatefulSetPersistentVolumeClaimRetentionPolicy: BuiltInPart<StatefulSetPersistentVolumeClaimRetentionPolicy> = /* @__PURE__ */ builtInPart(definitions, 'StatefulSetPersistentVolumeClaimRetentionPolicy');

export interface StatefulSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly ordinals?: StatefulSetOrdinals | undefined;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
  readonly podManagementPolicy?: string | undefined;
  readonly replicas?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: meta_v1.LabelSelector;
  readonly serviceName?: string | undefined;
  readonly template: core_v1.PodTemplateSpec;
  readonly updateStrategy?: StatefulSetUpdateStrategy | undefined;
  readonly volumeClaimTemplates?: readonly core_v1.EmbeddedPersistentVolumeClaim[] | undefined;
}
export const StatefulSetSpec: BuiltInPart<StatefulSetSpec> = /* @__PURE__ */ builtInPart(definitions, 'StatefulSetSpec');

export interface StatefulSetStatus {
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly StatefulSetCondition[] | undefined;
  readonly currentReplicas?: number | undefined;
  readonly currentRevision?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
  readonly updateRevision?: string | undefined;
  readonly updatedReplicas?: number | undefined;
}
export const StatefulSetStatus: BuiltInPart<StatefulSetStatus> = /* @__PURE__ */ builtInPart(definitions, 'StatefulSetStatus');

export interface StatefulSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
  readonly type?: string | undefined;
}
export const StatefulSetUpdateStrategy: BuiltInPart<StatefulSetUpdateStrategy> = /* @__PURE__ */ builtInPart(definitions, 'StatefulSetUpdateStrategy');
