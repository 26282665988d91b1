// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface FieldSelectorAttributes {
  readonly rawSelector?: string | undefined;
  readonly requirements?: readonly meta_v1.FieldSelectorRequirement[] | undefined;
}
export const FieldSelectorAttributes: BuiltInPart<FieldSelectorAttributes> = /* @__PURE__ */ builtInPart(definitions, 'FieldSelectorAttributes');

export interface LabelSelectorAttributes {
  readonly rawSelector?: string | undefined;
  readonly requirements?: readonly meta_v1.LabelSelectorRequirement[] | undefined;
}
export const LabelSelectorAttributes: BuiltInPart<LabelSelectorAttributes> = /* @__PURE__ */ builtInPart(definitions, 'LabelSelectorAttributes');

export interface LocalSubjectAccessReview extends KubeObject {
  readonly apiVersion: 'authorization.k8s.io/v1';
  readonly kind: 'LocalSubjectAccessReview';
  readonly spec: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus | undefined;
}
export const LocalSubjectAccessReview: BuiltInKind<LocalSubjectAccessReview> = /* @__PURE__ */ builtInKind(definitions, 'LocalSubjectAccessReview');

export interface NonResourceAttributes {
  readonly path?: string | undefined;
  readonly verb?: string | undefined;
}
export const NonResourceAttributes: BuiltInPart<NonResourceAttributes> = /* @__PURE__ */ builtInPart(definitions, 'NonResourceAttributes');

export interface NonResourceRule {
  readonly nonResourceURLs?: readonly string[] | undefined;
  readonly verbs: readonly string[];
}
export const NonResourceRule: BuiltInPart<NonResourceRule> = /* @__PURE__ */ builtInPart(definitions, 'NonResourceRule');

export interface ResourceAttributes {
  readonly fieldSelector?: FieldSelectorAttributes | undefined;
  readonly group?: string | undefined;
  readonly labelSelector?: LabelSelectorAttributes | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly verb?: string | undefined;
  readonly version?: string | undefined;
}
export const ResourceAttributes: BuiltInPart<ResourceAttributes> = /* @__PURE__ */ builtInPart(definitions, 'ResourceAttributes');

export interface ResourceRule {
  readonly apiGroups?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly verbs: readonly string[];
}
export const ResourceRule: BuiltInPart<ResourceRule> = /* @__PURE__ */ builtInPart(definitions, 'ResourceRule');

export interface SelfSubjectAccessReview extends KubeObject {
  readonly apiVersion: 'authorization.k8s.io/v1';
  readonly kind: 'SelfSubjectAccessReview';
  readonly spec: SelfSubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus | undefined;
}
export const SelfSubjectAccessReview: BuiltInKind<SelfSubjectAccessReview> = /* @__PURE__ */ builtInKind(definitions, 'SelfSubjectAccessReview');

export interface SelfSubjectAccessReviewSpec {
  readonly nonResourceAttributes?: NonResourceAttributes | undefined;
  readonly resourceAttributes?: ResourceAttributes | undefined;
}
export const SelfSubjectAccessReviewSpec: BuiltInPart<SelfSubjectAccessReviewSpec> = /* @__PURE__ */ builtInPart(definitions, 'SelfSubjectAccessReviewSpec');

export interface SelfSubjectRulesReview extends KubeObject {
  readonly apiVersion: 'authorization.k8s.io/v1';
  readonly kind: 'SelfSubjectRulesReview';
  readonly spec: SelfSubjectRulesReviewSpec;
  readonly status?: SubjectRulesReviewStatus | undefined;
}
export const SelfSubjectRulesReview: BuiltInKind<SelfSubjectRulesReview> = /* @__PURE__ */ builtInKind(definitions, 'SelfSubjectRulesReview');

export interface SelfSubjectRulesReviewSpec {
  readonly namespace?: string | undefined;
}
export const SelfSubjectRulesReviewSpec: BuiltInPart<SelfSubjectRulesReviewSpec> = /* @__PURE__ */ builtInPart(definitions, 'SelfSubjectRulesReviewSpec');

export interface SubjectAccessReview extends KubeObject {
  readonly apiVersion: 'authorization.k8s.io/v1';
  readonly kind: 'SubjectAccessReview';
  readonly spec: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus | undefined;
}
export const SubjectAccessReview: BuiltInKind<SubjectAccessReview> = /* @__PURE__ */ builtInKind(definitions, 'SubjectAccessReview');

export interface SubjectAccessReviewSpec {
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly nonResourceAttributes?: NonResourceAttributes | undefined;
  readonly resourceAttributes?: ResourceAttributes | undefined;
  readonly uid?: string | undefined;
  readonly user?: string | undefined;
}
export const SubjectAccessReviewSpec: BuiltInPart<SubjectAccessReviewSpec> = /* @__PURE__ */ builtInPart(definitions, 'SubjectAccessReviewSpec');

export interface SubjectAccessReviewStatus {
  readonly allowed: boolean;
  readonly denied?: boolean | undefined;
  readonly evaluationError?: string | undefined;
  readonly reason?: string | undefined;
}
export const SubjectAccessReviewStatus: BuiltInPart<SubjectAccessReviewStatus> = /* @__PURE__ */ builtInPart(definitions, 'SubjectAccessReviewStatus');

export interface SubjectRulesReviewStatus {
  readonly evaluationError?: string | undefined;
  readonly incomplete: boolean;
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly resourceRules: readonly ResourceRule[];
}
export const SubjectRulesReviewStatus: BuiltInPart<SubjectRulesReviewStatus> = /* @__PURE__ */ builtInPart(definitions, 'SubjectRulesReviewStatus');
