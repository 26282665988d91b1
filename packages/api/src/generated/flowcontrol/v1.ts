// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import { definitions } from './v1-definitions.js';

export interface ExemptPriorityLevelConfiguration {
  readonly lendablePercent?: number | undefined;
  readonly nominalConcurrencyShares?: number | undefined;
}
export const ExemptPriorityLevelConfiguration: BuiltInPart<ExemptPriorityLevelConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'ExemptPriorityLevelConfiguration');

export interface FlowDistinguisherMethod {
  readonly type: string;
}
export const FlowDistinguisherMethod: BuiltInPart<FlowDistinguisherMethod> = /* @__PURE__ */ builtInPart(definitions, 'FlowDistinguisherMethod');

export interface FlowSchema extends KubeObject {
  readonly apiVersion: 'flowcontrol.apiserver.k8s.io/v1';
  readonly kind: 'FlowSchema';
  readonly spec: FlowSchemaSpec;
  readonly status?: FlowSchemaStatus | undefined;
}
export const FlowSchema: BuiltInKind<FlowSchema> = /* @__PURE__ */ builtInKind(definitions, 'FlowSchema');

export interface FlowSchemaCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
}
export const FlowSchemaCondition: BuiltInPart<FlowSchemaCondition> = /* @__PURE__ */ builtInPart(definitions, 'FlowSchemaCondition');

export interface FlowSchemaSpec {
  readonly distinguisherMethod?: FlowDistinguisherMethod | undefined;
  readonly matchingPrecedence?: number | undefined;
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  readonly rules?: readonly PolicyRulesWithSubjects[] | undefined;
}
export const FlowSchemaSpec: BuiltInPart<FlowSchemaSpec> = /* @__PURE__ */ builtInPart(definitions, 'FlowSchemaSpec');

export interface FlowSchemaStatus {
  readonly conditions?: readonly FlowSchemaCondition[] | undefined;
}
export const FlowSchemaStatus: BuiltInPart<FlowSchemaStatus> = /* @__PURE__ */ builtInPart(definitions, 'FlowSchemaStatus');

export interface GroupSubject {
  readonly name: string;
}
export const GroupSubject: BuiltInPart<GroupSubject> = /* @__PURE__ */ builtInPart(definitions, 'GroupSubject');

export interface LimitResponse {
  readonly queuing?: QueuingConfiguration | undefined;
  readonly type: string;
}
export const LimitResponse: BuiltInPart<LimitResponse> = /* @__PURE__ */ builtInPart(definitions, 'LimitResponse');

export interface LimitedPriorityLevelConfiguration {
  readonly borrowingLimitPercent?: number | undefined;
  readonly lendablePercent?: number | undefined;
  readonly limitResponse?: LimitResponse | undefined;
  readonly nominalConcurrencyShares?: number | undefined;
}
export const LimitedPriorityLevelConfiguration: BuiltInPart<LimitedPriorityLevelConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'LimitedPriorityLevelConfiguration');

export interface NonResourcePolicyRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}
export const NonResourcePolicyRule: BuiltInPart<NonResourcePolicyRule> = /* @__PURE__ */ builtInPart(definitions, 'NonResourcePolicyRule');

export interface PolicyRulesWithSubjects {
  readonly nonResourceRules?: readonly NonResourcePolicyRule[] | undefined;
  readonly resourceRules?: readonly ResourcePolicyRule[] | undefined;
  readonly subjects: readonly Subject[];
}
export const PolicyRulesWithSubjects: BuiltInPart<PolicyRulesWithSubjects> = /* @__PURE__ */ builtInPart(definitions, 'PolicyRulesWithSubjects');

export interface PriorityLevelConfiguration extends KubeObject {
  readonly apiVersion: 'flowcontrol.apiserver.k8s.io/v1';
  readonly kind: 'PriorityLevelConfiguration';
  readonly spec: PriorityLevelConfigurationSpec;
  readonly status?: PriorityLevelConfigurationStatus | undefined;
}
export const PriorityLevelConfiguration: BuiltInKind<PriorityLevelConfiguration> = /* @__PURE__ */ builtInKind(definitions, 'PriorityLevelConfiguration');

export interface PriorityLevelConfigurationCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
}
export const PriorityLevelConfigurationCondition: BuiltInPart<PriorityLevelConfigurationCondition> = /* @__PURE__ */ builtInPart(definitions, 'PriorityLevelConfigurationCondition');

export interface PriorityLevelConfigurationReference {
  readonly name: string;
}
export const PriorityLevelConfigurationReference: BuiltInPart<PriorityLevelConfigurationReference> = /* @__PURE__ */ builtInPart(definitions, 'PriorityLevelConfigurationReference');

export interface PriorityLevelConfigurationSpec {
  readonly exempt?: ExemptPriorityLevelConfiguration | undefined;
  readonly limited?: LimitedPriorityLevelConfiguration | undefined;
  readonly type: string;
}
export const PriorityLevelConfigurationSpec: BuiltInPart<PriorityLevelConfigurationSpec> = /* @__PURE__ */ builtInPart(definitions, 'PriorityLevelConfigurationSpec');

export interface PriorityLevelConfigurationStatus {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[] | undefined;
}
export const PriorityLevelConfigurationStatus: BuiltInPart<PriorityLevelConfigurationStatus> = /* @__PURE__ */ builtInPart(definitions, 'PriorityLevelConfigurationStatus');

export interface QueuingConfiguration {
  readonly handSize?: number | undefined;
  readonly queueLengthLimit?: number | undefined;
  readonly queues?: number | undefined;
}
export const QueuingConfiguration: BuiltInPart<QueuingConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'QueuingConfiguration');

export interface ResourcePolicyRule {
  readonly apiGroups: readonly string[];
  readonly clusterScope?: boolean | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
export const ResourcePolicyRule: BuiltInPart<ResourcePolicyRule> = /* @__PURE__ */ builtInPart(definitions, 'ResourcePolicyRule');

export interface ServiceAccountSubject {
  readonly name: string;
  readonly namespace: string;
}
export const ServiceAccountSubject: BuiltInPart<ServiceAccountSubject> = /* @__PURE__ */ builtInPart(definitions, 'ServiceAccountSubject');

export interface Subject {
  readonly group?: GroupSubject | undefined;
  readonly kind: string;
  readonly serviceAccount?: ServiceAccountSubject | undefined;
  readonly user?: UserSubject | undefined;
}
export const Subject: BuiltInPart<Subject> = /* @__PURE__ */ builtInPart(definitions, 'Subject');

export interface UserSubject {
  readonly name: string;
}
export const UserSubject: BuiltInPart<UserSubject> = /* @__PURE__ */ builtInPart(definitions, 'UserSubject');
