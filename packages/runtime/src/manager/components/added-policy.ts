import type { PolicyBinding, PolicyOptions } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass as ApiClass, checkPolicyOptions, invalidPolicy, policiesOf } from '@kubewright/api/metadata';
import { dns1123LabelErrors } from '@kubewright/api/names';
import type { AnyClass } from '../../metadata/class-metadata.js';
import { kebabCase } from '../../metadata/kebab-case.js';
import type { DescribedPolicy, DescribedPolicyBinding } from '../../rbac/described-policies.js';

/** An instance of a class with `@Policy`. The class does not need members, because the API server evaluates the policy. */
export interface PolicyComponent {
  readonly reconcile?: undefined;
}

/** The policies that a class or a call of `manager.enforce` declares. The manager only describes them. */
export interface AddedPolicy {
  readonly policies: readonly DescribedPolicy[];
}

/** Returns the policies of the decorators of a class. Returns undefined for a class without such decorators. Throws INVALID_POLICY. */
export function decoratedPolicy(target: AnyClass): AddedPolicy | undefined {
  const declared = policiesOf(target as ApiClass);
  if (declared.length === 0) return undefined;
  const name = kebabCase(target.name.replace(/(?<=.)Policy$/, ''));
  return { policies: declared.map((options) => describedPolicy(options, name, `class ${target.name}`)) };
}

/** Returns a policy that is declared by options instead of a class. Throws INVALID_POLICY. */
export function plainPolicy(options: PolicyOptions & { readonly name: string }): AddedPolicy {
  const where = 'manager.enforce';
  checkPolicyOptions(options, where);
  return { policies: [describedPolicy(options, options.name, where)] };
}

/** Throws DUPLICATE_POLICY if two policies of an operator have the same name. */
export function assertUniquePolicies(added: AddedPolicy, others: readonly DescribedPolicy[]): void {
  const known = new Map(others.map((policy) => [policy.name, policy]));
  for (const policy of added.policies) {
    const other = known.get(policy.name);
    if (other !== undefined) {
      throw new KubewrightError(
        'DUPLICATE_POLICY',
        `cannot add the policy of ${policy.declaredBy}: the policy of ${other.declaredBy} also has the name '${policy.name}'; set the option name of one of them`,
      );
    }
    known.set(policy.name, policy);
  }
}

function describedPolicy(options: PolicyOptions, defaultName: string, where: string): DescribedPolicy {
  const { name = defaultName, subresource, namespaceSelector, objectSelector, params, mutations = [] } = options;
  const [problem] = dns1123LabelErrors(name);
  if (problem !== undefined)
    throw invalidPolicy(where, `its name '${name}' is not valid: ${problem}; set the option name`);
  const type = mutations.length > 0 ? 'mutating' : 'validating';
  return {
    type,
    declaredBy: where,
    name,
    kind: options.for,
    ...(subresource !== undefined && { subresource }),
    operations: (options.operations ?? ['create', 'update']).map(
      (each) => each.toUpperCase() as DescribedPolicy['operations'][number],
    ),
    failurePolicy: options.failurePolicy ?? 'Fail',
    matchPolicy: options.matchPolicy ?? 'Equivalent',
    ...(type === 'mutating' && { reinvocationPolicy: options.reinvocationPolicy ?? 'Never' }),
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    matchConditions: (options.matchConditions ?? []).map((each) => ({ name: each.name, expression: each.expression })),
    variables: Object.entries(options.variables ?? {}).map(([variable, expression]) => ({
      name: variable,
      expression,
    })),
    validations: options.validations ?? [],
    auditAnnotations: Object.entries(options.auditAnnotations ?? {}).map(([key, expression]) => ({ key, expression })),
    mutations,
    ...(params !== undefined && { params }),
    bindings: (options.bindings ?? [{}]).map((binding) => describedBinding(binding, type)),
  };
}

function describedBinding(
  { actions = ['Deny'], params, ...binding }: PolicyBinding,
  type: DescribedPolicy['type'],
): DescribedPolicyBinding {
  return {
    ...binding,
    actions: type === 'mutating' ? [] : actions,
    ...(params !== undefined && { params: { onMissing: 'Deny', ...params } }),
  };
}
