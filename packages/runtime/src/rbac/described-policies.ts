import type { KindRef, PolicyMutation, PolicyParams, PolicyValidation } from '@kubewright/api';
import type { LabelSelector } from '@kubewright/api/meta/v1';
import type { DescribedAdmissionWebhook, MatchCondition } from './described-webhooks.js';

/** An admission policy of an operator, with all defaults. Its manifests are generated from this description. */
export interface DescribedPolicy {
  /** Whether the policy becomes a ValidatingAdmissionPolicy or a MutatingAdmissionPolicy. */
  readonly type: 'validating' | 'mutating';
  /** The class or the call that declares the policy, for messages. */
  readonly declaredBy: string;
  /** The name of the policy, unique within the operator. The name of the object in the cluster has the operator's name as prefix. */
  readonly name: string;
  /** The kind of the objects to whose requests the policy applies. */
  readonly kind: KindRef;
  /** The subresource, such as 'scale' or 'eviction'. Undefined for the objects themselves. */
  readonly subresource?: string;
  readonly operations: DescribedAdmissionWebhook['operations'];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Exact' | 'Equivalent';
  /** The reinvocation policy of a mutating policy. Undefined for a validating policy. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchConditions: readonly MatchCondition[];
  /** The variables, in the order in which the options declare them. */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /** The rules of a validating policy. Empty for a mutating policy. */
  readonly validations: readonly PolicyValidation[];
  /** The annotations of audit events. Empty for a mutating policy. */
  readonly auditAnnotations: readonly { readonly key: string; readonly expression: string }[];
  /** The changes of a mutating policy, in the order in which the API server applies them. Empty for a validating policy. */
  readonly mutations: readonly PolicyMutation[];
  /** The kind of the parameters. Undefined for a policy without parameters. */
  readonly params?: KindRef;
  readonly bindings: readonly DescribedPolicyBinding[];
}

/** A binding of an admission policy, with all defaults. */
export interface DescribedPolicyBinding {
  /** The name of the binding, which is unique within the policy. Undefined if the policy has only one binding. */
  readonly name?: string;
  /** The consequences of a violation. Empty for a mutating policy. */
  readonly actions: readonly ('Deny' | 'Warn' | 'Audit')[];
  /** The parameters of the binding. Undefined for a policy without parameters. */
  readonly params?: PolicyParams & Required<Pick<PolicyParams, 'onMissing'>>;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
}
