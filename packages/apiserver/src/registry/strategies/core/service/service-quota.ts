import type { JsonObject } from '../../../objects/api-object.js';
import { objectAt, objectsAt } from '../../../objects/json-object.js';
import type { QuotaRules } from '../../../quota/quota-rules.js';
import { type Amounts, countOf } from '../../../quota/resource-amounts.js';

const one = countOf(1);
const zero = countOf(0);

/** The rules by which quotas count Services: the number of Services, of their node ports and of their load balancers. */
export const serviceQuota: QuotaRules = {
  usage,
  uses: (name) => name === 'services' || name.startsWith('services.'),
  counts: ({ operation, subresource }) => subresource === undefined && operation !== 'DELETE',
  mayUseLess: () => true,
};

function usage(service: JsonObject): Amounts {
  const spec = objectAt(service, 'spec');
  const { type } = spec;
  const ports = objectsAt(spec, 'ports');
  const own = spec['allocateLoadBalancerNodePorts'] === false;
  const taken = type === 'LoadBalancer' && own ? ports.filter(({ nodePort }) => nodePort) : ports;
  const opens = type === 'NodePort' || type === 'LoadBalancer';
  return new Map([
    ['services', one],
    ['services.nodeports', opens ? countOf(taken.length) : zero],
    ['services.loadbalancers', type === 'LoadBalancer' ? one : zero],
  ]);
}
