// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface ApplyConfiguration {
  readonly expression?: string | undefined;
}
export const ApplyConfiguration: BuiltInPart<ApplyConfiguration> = /* @__PURE__ */ builtInPart(definitions, 'ApplyConfiguration');

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}
export const AuditAnnotation: BuiltInPart<AuditAnnotation> = /* @__PURE__ */ builtInPart(definitions, 'AuditAnnotation');

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}
export const ExpressionWarning: BuiltInPart<ExpressionWarning> = /* @__PURE__ */ builtInPart(definitions, 'ExpressionWarning');

export interface JSONPatch {
  readonly expression?: string | undefined;
}
export const JSONPatch: BuiltInPart<JSONPatch> = /* @__PURE__ */ builtInPart(definitions, 'JSONPatch');

export interface MatchCondition {
  readonly expression: string;
  readonly name: string;
}
export const MatchCondition: BuiltInPart<MatchCondition> = /* @__PURE__ */ builtInPart(definitions, 'MatchCondition');

export interface MatchResources {
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly namespaceSelector?: meta_v1.LabelSelector | undefined;
  readonly objectSelector?: meta_v1.LabelSelector | undefined;
  readonly resourceRules?: readonly NamedRuleWithOperations[] | undefined;
}
export const MatchResources: BuiltInPart<MatchResources> = /* @__PURE__ */ builtInPart(definitions, 'MatchResources');

export interface MutatingAdmissionPolicy extends KubeObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingAdmissionPolicy';
  readonly spec: MutatingAdmissionPolicySpec;
}
export const MutatingAdmissionPolicy: BuiltInKind<MutatingAdmissionPolicy> = /* @__PURE__ */ builtInKind(definitions, 'MutatingAdmissionPolicy');

export interface MutatingAdmissionPolicyBinding extends KubeObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingAdmissionPolicyBinding';
  readonly spec: MutatingAdmissionPolicyBindingSpec;
}
export const MutatingAdmissionPolicyBinding: BuiltInKind<MutatingAdmissionPolicyBinding> = /* @__PURE__ */ builtInKind(definitions, 'MutatingAdmissionPolicyBinding');

export interface MutatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources | undefined;
  readonly paramRef?: ParamRef | undefined;
  readonly policyName?: string | undefined;
}
export const MutatingAdmissionPolicyBindingSpec: BuiltInPart<MutatingAdmissionPolicyBindingSpec> = /* @__PURE__ */ builtInPart(definitions, 'MutatingAdmissionPolicyBindingSpec');

export interface MutatingAdmissionPolicySpec {
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchConstraints?: MatchResources | undefined;
  readonly mutations?: readonly Mutation[] | undefined;
  readonly paramKind?: ParamKind | undefined;
  readonly reinvocationPolicy?: string | undefined;
  readonly variables?: readonly Variable[] | undefined;
}
export const MutatingAdmissionPolicySpec: BuiltInPart<MutatingAdmissionPolicySpec> = /* @__PURE__ */ builtInPart(definitions, 'MutatingAdmissionPolicySpec');

export interface MutatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly name: string;
  readonly namespaceSelector?: meta_v1.LabelSelector | undefined;
  readonly objectSelector?: meta_v1.LabelSelector | undefined;
  readonly reinvocationPolicy?: string | undefined;
  readonly rules?: readonly RuleWithOperations[] | undefined;
  readonly sideEffects: string;
  readonly timeoutSeconds?: number | undefined;
}
export const MutatingWebhook: BuiltInPart<MutatingWebhook> = /* @__PURE__ */ builtInPart(definitions, 'MutatingWebhook');

export interface MutatingWebhookConfiguration extends KubeObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingWebhookConfiguration';
  readonly webhooks?: readonly MutatingWebhook[] | undefined;
}
export const MutatingWebhookConfiguration: BuiltInKind<MutatingWebhookConfiguration> = /* @__PURE__ */ builtInKind(definitions, 'MutatingWebhookConfiguration');

export interface Mutation {
  readonly applyConfiguration?: ApplyConfiguration | undefined;
  readonly jsonPatch?: JSONPatch | undefined;
  readonly patchType: string;
}
export const Mutation: BuiltInPart<Mutation> = /* @__PURE__ */ builtInPart(definitions, 'Mutation');

export interface NamedRuleWithOperations {
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}
export const NamedRuleWithOperations: BuiltInPart<NamedRuleWithOperations> = /* @__PURE__ */ builtInPart(definitions, 'NamedRuleWithOperations');

export interface ParamKind {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}
export const ParamKind: BuiltInPart<ParamKind> = /* @__PURE__ */ builtInPart(definitions, 'ParamKind');

export interface ParamRef {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly parameterNotFoundAction?: string | undefined;
  readonly selector?: meta_v1.LabelSelector | undefined;
}
export const ParamRef: BuiltInPart<ParamRef> = /* @__PURE__ */ builtInPart(definitions, 'ParamRef');

export interface RuleWithOperations {
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}
export const RuleWithOperations: BuiltInPart<RuleWithOperations> = /* @__PURE__ */ builtInPart(definitions, 'RuleWithOperations');

export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string | undefined;
  readonly port?: number | undefined;
}
export const ServiceReference: BuiltInPart<ServiceReference> = /* @__PURE__ */ builtInPart(definitions, 'ServiceReference');

export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[] | undefined;
}
export const TypeChecking: BuiltInPart<TypeChecking> = /* @__PURE__ */ builtInPart(definitions, 'TypeChecking');

export interface ValidatingAdmissionPolicy extends KubeObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingAdmissionPolicy';
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus | undefined;
}
export const ValidatingAdmissionPolicy: BuiltInKind<ValidatingAdmissionPolicy> = /* @__PURE__ */ builtInKind(definitions, 'ValidatingAdmissionPolicy');

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingAdmissionPolicyBinding';
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}
export const ValidatingAdmissionPolicyBinding: BuiltInKind<ValidatingAdmissionPolicyBinding> = /* @__PURE__ */ builtInKind(definitions, 'ValidatingAdmissionPolicyBinding');

export interface ValidatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources | undefined;
  readonly paramRef?: ParamRef | undefined;
  readonly policyName: string;
  readonly validationActions: readonly string[];
}
export const ValidatingAdmissionPolicyBindingSpec: BuiltInPart<ValidatingAdmissionPolicyBindingSpec> = /* @__PURE__ */ builtInPart(definitions, 'ValidatingAdmissionPolicyBindingSpec');

export interface ValidatingAdmissionPolicySpec {
  readonly auditAnnotations?: readonly AuditAnnotation[] | undefined;
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchConstraints?: MatchResources | undefined;
  readonly paramKind?: ParamKind | undefined;
  readonly validations?: readonly Validation[] | undefined;
  readonly variables?: readonly Variable[] | undefined;
}
export const ValidatingAdmissionPolicySpec: BuiltInPart<ValidatingAdmissionPolicySpec> = /* @__PURE__ */ builtInPart(definitions, 'ValidatingAdmissionPolicySpec');

export interface ValidatingAdmissionPolicyStatus {
  readonly conditions?: readonly meta_v1.Condition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly typeChecking?: TypeChecking | undefined;
}
export const ValidatingAdmissionPolicyStatus: BuiltInPart<ValidatingAdmissionPolicyStatus> = /* @__PURE__ */ builtInPart(definitions, 'ValidatingAdmissionPolicyStatus');

export interface ValidatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly name: string;
  readonly namespaceSelector?: meta_v1.LabelSelector | undefined;
  readonly objectSelector?: meta_v1.LabelSelector | undefined;
  readonly rules?: readonly RuleWithOperations[] | undefined;
  readonly sideEffects: string;
  readonly timeoutSeconds?: number | undefined;
}
export const ValidatingWebhook: BuiltInPart<ValidatingWebhook> = /* @__PURE__ */ builtInPart(definitions, 'ValidatingWebhook');

export interface ValidatingWebhookConfiguration extends KubeObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingWebhookConfiguration';
  readonly webhooks?: readonly ValidatingWebhook[] | undefined;
}
export const ValidatingWebhookConfiguration: BuiltInKind<ValidatingWebhookConfiguration> = /* @__PURE__ */ builtInKind(definitions, 'ValidatingWebhookConfiguration');

export interface Validation {
  readonly expression: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
}
export const Validation: BuiltInPart<Validation> = /* @__PURE__ */ builtInPart(definitions, 'Validation');

export interface Variable {
  readonly expression: string;
  readonly name: string;
}
export const Variable: BuiltInPart<Variable> = /* @__PURE__ */ builtInPart(definitions, 'Variable');

export interface WebhookClientConfig {
  readonly caBundle?: string | undefined;
  readonly service?: ServiceReference | undefined;
  readonly url?: string | undefined;
}
export const WebhookClientConfig: BuiltInPart<WebhookClientConfig> = /* @__PURE__ */ builtInPart(definitions, 'WebhookClientConfig');
