import { withBreak } from '@kubewright/api/apply';
import { rolesNotFound } from '../../authorization/authorizer.js';
import type { PolicyRule } from '../../authorization/policy-rule.js';
import { stringAt } from '../../registry/objects/json-object.js';
import { badRequest } from '../../registry/requests/status-errors.js';
import type { VirtualRequest, VirtualResource } from './virtual-resource.js';

/** SelfSubjectRulesReview: returns all rules of the requesting user in a namespace. */
export const selfSubjectRulesReview: VirtualResource = {
  path: 'authorization.k8s.io/selfsubjectrulesreviews',
  answer: withBreak(({ serving, user, object }: VirtualRequest) => {
    const namespace = stringAt(object, 'spec', 'namespace');
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, missing } = serving.authorizer.grants(user, namespace);
    const { apiVersion, kind } = object;
    return {
      kind,
      apiVersion,
      metadata: {},
      spec: {},
      status: {
        resourceRules: rules.filter(({ rule }) => rule.resources.length > 0).map(({ rule }) => resourceRule(rule)),
        nonResourceRules: rules
          .filter(({ rule }) => rule.nonResourceURLs.length > 0)
          .map(({ rule: { verbs, nonResourceURLs } }) => ({ verbs, nonResourceURLs })),
        incomplete: false,
        ...(missing.length === 0 ? {} : { evaluationError: rolesNotFound(missing) }),
      },
    };
  }),
};

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return { verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) };
}
