import type { KubeObject } from '@kubewright/api';
import { assertPolicy } from '@kubewright/api/cel';
import { kindOf } from '@kubewright/api/metadata';
import { policyObjects, policySchemas } from '@kubewright/runtime/internal';
import { admissionSample, sampleOfKind } from '../admission-sample.js';
import type { CheckedPolicy, ManifestsInput } from '../manifests-input.js';
import { objectNames } from '../object-names.js';
import { operatorLabels } from '../operator-labels.js';

/**
 * Returns the admission policies of an operator with their bindings. The policies of a namespaced operator apply only to its namespace.
 * Unlike webhooks, policies also apply to the namespace of the operator, because the API server evaluates policies even while the operator
 * does not run.
 * @throws KubewrightError INVALID_POLICY with all errors in the expressions of a policy
 */
export function policyManifests(input: ManifestsInput): readonly KubeObject[] {
  const { settings, operator } = input;
  const { policies = [] } = operator;
  for (const policy of policies) checkPolicy(policy, input);
  return policyObjects(policies, {
    prefix: objectNames(settings).prefix,
    labels: operatorLabels(input),
    ...(settings.namespaced && { namespace: settings.namespace }),
  });
}

function checkPolicy(policy: CheckedPolicy, { crds }: ManifestsInput): void {
  const { declaredBy, schemas = policySchemas(policy), params } = policy;
  const sample = {
    ...admissionSample(policy, crds),
    ...(params !== undefined && { params: sampleOfKind(kindOf(params), crds) }),
  };
  assertPolicy(declaredBy, policy, { schemas, params: params !== undefined, sample });
}
