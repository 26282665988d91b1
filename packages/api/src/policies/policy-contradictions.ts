import { kindOf } from '../kinds/kind-of.js';
import type { KindInfo } from '../metadata/kind-info.js';
import { isExemptKind } from '../webhooks/is-exempt-kind.js';
import type { PolicyOptions } from './policy-options.js';

/** Returns the first contradiction between the options of a policy, with the fix. The options are individually valid. */
export function contradiction(options: PolicyOptions): string | undefined {
  return kindContradiction(kindOf(options.for)) ?? typeContradiction(options) ?? paramsContradiction(options);
}

function kindContradiction(info: KindInfo): string | undefined {
  return isExemptKind(info) ? `the API server never evaluates policies for ${info.kind}; remove the policy` : undefined;
}

function typeContradiction({ bindings = [], operations = [], ...options }: PolicyOptions): string | undefined {
  const { validations = [], mutations = [], auditAnnotations = {}, reinvocationPolicy } = options;
  const validates = validations.length > 0 || Object.keys(auditAnnotations).length > 0;
  const mutates = mutations.length > 0;
  if (!validates && !mutates) return 'it has no effect; add validations, auditAnnotations or mutations';
  if (validates && mutates) {
    return 'it has mutations together with validations or auditAnnotations, which are different kinds of policies; declare two policies';
  }
  if (!mutates) {
    return reinvocationPolicy === undefined
      ? undefined
      : 'reinvocationPolicy applies only to a policy with mutations; remove it';
  }
  if (operations.includes('delete')) {
    return "a request to delete an object has no object to change; remove 'delete' from operations, or use validations";
  }
  return bindings.some(({ actions }) => actions !== undefined)
    ? 'the bindings of a policy with mutations have no actions; remove them'
    : undefined;
}

function paramsContradiction({ params, bindings = [{}] }: PolicyOptions): string | undefined {
  if (params === undefined) {
    return bindings.some((binding) => binding.params !== undefined)
      ? 'a binding has params, but the policy does not; add the option params with the kind of the parameters'
      : undefined;
  }
  const { kind, namespaced } = kindOf(params);
  if (bindings.some((binding) => binding.params === undefined)) {
    return `expressions read params of kind ${kind}, but a binding has no params; add bindings: [{ params: { name: '…' } }]`;
  }
  return namespaced === false && bindings.some((binding) => binding.params?.namespace !== undefined)
    ? `kind ${kind} is cluster-scoped, but the params of a binding have a namespace; remove the namespace`
    : undefined;
}
