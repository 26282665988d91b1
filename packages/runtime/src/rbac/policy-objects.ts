import type { KubeObject, PolicyMutation } from '@kubewright/api';
import {
  type MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  type Mutation,
  type ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@kubewright/api/admissionregistration/v1';
import { kindOf } from '@kubewright/api/metadata';
import type { DescribedPolicy, DescribedPolicyBinding } from './described-policies.js';
import { namespaceRequirement, withRequirement } from './namespace-selector.js';
import { resourceOf } from './resource-of.js';

/** The options of `policyObjects`. */
export interface PolicyObjectsOptions {
  /** The prefix of the names of all objects, such as 'my-operator-'. */
  readonly prefix: string;
  /** The labels of all objects. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The namespace to which the policies are limited. Does not affect cluster-scoped objects. @default all namespaces */
  readonly namespace?: string;
}

/**
 * Returns the objects with which the API server enforces the policies of an operator: each policy, followed by its bindings. A binding
 * object has the name of its policy object. If the binding declares a name, a hyphen and this name follow.
 *
 * @example
 * policyObjects(manager.describe().policies ?? [], { prefix: 'my-operator-' });
 */
export function policyObjects(
  policies: readonly DescribedPolicy[],
  options: PolicyObjectsOptions,
): readonly KubeObject[] {
  return policies.flatMap((policy) => [
    policyObject(policy, options),
    ...policy.bindings.map((binding) => bindingObject(policy, binding, options)),
  ]);
}

function policyObject(policy: DescribedPolicy, options: PolicyObjectsOptions): KubeObject {
  const { failurePolicy, matchConditions, variables, params, reinvocationPolicy } = policy;
  const metadata = metadataOf(`${options.prefix}${policy.name}`, options);
  const spec = {
    ...(params !== undefined && { paramKind: { apiVersion: kindOf(params).apiVersion, kind: kindOf(params).kind } }),
    failurePolicy,
    matchConstraints: constraintsOf(policy, options),
    ...(matchConditions.length > 0 && { matchConditions }),
    ...(variables.length > 0 && { variables }),
  };
  if (policy.type === 'mutating') {
    const mutations = policy.mutations.map(mutationOf);
    return new MutatingAdmissionPolicy({
      metadata,
      spec: { ...spec, mutations, reinvocationPolicy: reinvocationPolicy ?? 'Never' },
    });
  }
  const validations = policy.validations.map(({ rule: expression, ...validation }) => ({ expression, ...validation }));
  const auditAnnotations = policy.auditAnnotations.map(({ key, expression }) => ({ key, valueExpression: expression }));
  return new ValidatingAdmissionPolicy({
    metadata,
    spec: {
      ...spec,
      ...(validations.length > 0 && { validations }),
      ...(auditAnnotations.length > 0 && { auditAnnotations }),
    },
  });
}

function constraintsOf(policy: DescribedPolicy, { namespace }: PolicyObjectsOptions): MatchResources {
  const { kind, subresource, operations, matchPolicy, objectSelector } = policy;
  const { group, plural } = resourceOf(kind);
  const namespaceSelector =
    namespace === undefined
      ? policy.namespaceSelector
      : withRequirement(policy.namespaceSelector, namespaceRequirement('In', [namespace]));
  return {
    matchPolicy,
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [kindOf(kind).version],
        operations,
        resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
      },
    ],
  };
}

function mutationOf({ apply, patch }: PolicyMutation): Mutation {
  return apply === undefined
    ? { patchType: 'JSONPatch', jsonPatch: { expression: patch } }
    : { patchType: 'ApplyConfiguration', applyConfiguration: { expression: apply } };
}

function bindingObject(
  { type, name: policy }: DescribedPolicy,
  { name, actions, params, namespaceSelector, objectSelector }: DescribedPolicyBinding,
  options: PolicyObjectsOptions,
): KubeObject {
  const policyName = `${options.prefix}${policy}`;
  const metadata = metadataOf(name === undefined ? policyName : `${policyName}-${name}`, options);
  const selects = namespaceSelector !== undefined || objectSelector !== undefined;
  const spec = {
    policyName,
    ...(params !== undefined && { paramRef: paramRefOf(params) }),
    ...(selects && {
      matchResources: {
        ...(namespaceSelector !== undefined && { namespaceSelector }),
        ...(objectSelector !== undefined && { objectSelector }),
      },
    }),
  };
  return type === 'mutating'
    ? new MutatingAdmissionPolicyBinding({ metadata, spec })
    : new ValidatingAdmissionPolicyBinding({ metadata, spec: { ...spec, validationActions: actions } });
}

function paramRefOf({ onMissing, ...reference }: NonNullable<DescribedPolicyBinding['params']>): ParamRef {
  return { ...reference, parameterNotFoundAction: onMissing };
}

function metadataOf(name: string, { labels }: PolicyObjectsOptions): Pick<KubeObject['metadata'], 'name' | 'labels'> {
  return { name, ...(labels !== undefined && { labels }) };
}
