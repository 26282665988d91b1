// Made by scripts/generate-built-ins.mjs from the schemas of Kubernetes v1.36.3. Do not edit.
import { type BuiltInKind, builtInKind, type BuiltInPart, builtInPart } from '../../built-in/built-in-kind.js';
import type { KubeObject } from '../../objects/kube-object.js';
import type * as meta_v1 from '../meta/v1.js';
import { definitions } from './v1-definitions.js';

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly meta_v1.LabelSelector[] | undefined;
}
export const AggregationRule: BuiltInPart<AggregationRule> = /* @__PURE__ */ builtInPart(definitions, 'AggregationRule');

export interface ClusterRole extends KubeObject {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'ClusterRole';
  readonly aggregationRule?: AggregationRule | undefined;
  readonly rules?: readonly PolicyRule[] | undefined;
}
export const ClusterRole: BuiltInKind<ClusterRole> = /* @__PURE__ */ builtInKind(definitions, 'ClusterRole');

export interface ClusterRoleBinding extends KubeObject {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'ClusterRoleBinding';
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | undefined;
}
export const ClusterRoleBinding: BuiltInKind<ClusterRoleBinding> = /* @__PURE__ */ builtInKind(definitions, 'ClusterRoleBinding');

export interface PolicyRule {
  readonly apiGroups?: readonly string[] | undefined;
  readonly nonResourceURLs?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly verbs: readonly string[];
}
export const PolicyRule: BuiltInPart<PolicyRule> = /* @__PURE__ */ builtInPart(definitions, 'PolicyRule');

export interface Role extends KubeObject {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'Role';
  readonly rules?: readonly PolicyRule[] | undefined;
}
export const Role: BuiltInKind<Role> = /* @__PURE__ */ builtInKind(definitions, 'Role');

export interface RoleBinding extends KubeObject {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'RoleBinding';
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | undefined;
}
export const RoleBinding: BuiltInKind<RoleBinding> = /* @__PURE__ */ builtInKind(definitions, 'RoleBinding');

export interface RoleRef {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}
export const RoleRef: BuiltInPart<RoleRef> = /* @__PURE__ */ builtInPart(definitions, 'RoleRef');

export interface Subject {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}
export const Subject: BuiltInPart<Subject> = /* @__PURE__ */ builtInPart(definitions, 'Subject');
