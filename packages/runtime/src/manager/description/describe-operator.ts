import type { DescribedWebhooks } from '../../rbac/described-webhooks.js';
import { type RbacRule, rbacRulesOf } from '../../rbac/rbac-decorator.js';
import type { LeaderElectionOptions } from '../../election/leader-election-options.js';
import { healthEndpoint } from '../../serving/health-server.js';
import { metricsEndpoint } from '../../serving/metrics-server.js';
import { type Added, type AddedController, addedPolicies, classOf } from '../components/component.js';
import type { ResolvedManagerOptions } from '../settings/resolved-manager-options.js';
import { describeController } from './describe-controller.js';
import { DescribedNamespaces } from './described-namespaces.js';
import type { DescribedElection, OperatorDescription } from '../../rbac/operator-description.js';

/**
 * Returns the description of an operator, from the options of its manager and the components that were added to the manager. `nameOf`
 * provides the names of controllers, and `webhooks` provides the description of webhooks.
 */
export function describeOperator(
  {
    cluster,
    leaderElection,
    deployed,
    gracePeriodMs = false,
  }: Pick<ResolvedManagerOptions, 'cluster' | 'leaderElection' | 'deployed'> & {
    readonly gracePeriodMs: number | false | undefined;
  },
  added: readonly Added[],
  { nameOf, webhooks }: DescribedBy,
): OperatorDescription {
  const where = new DescribedNamespaces(cluster);
  const { all: namespaces } = where;
  const policies = addedPolicies(added);
  return {
    controllers: added.flatMap((each) =>
      'controller' in each ? [{ ...describeController(each.controller, where), name: nameOf(each.controller) }] : [],
    ),
    rules: added.flatMap(rulesOf),
    ...(leaderElection !== undefined && { leaderElection: describedElection(leaderElection) }),
    events: cluster.events?.api ?? 'events.k8s.io/v1',
    metrics: deployed.metrics && metricsEndpoint(deployed.metrics),
    health: deployed.health && healthEndpoint(deployed.health),
    ...(webhooks !== undefined && { webhooks }),
    ...(policies.length > 0 && { policies }),
    ...(namespaces !== undefined && { namespaces }),
    gracePeriodMs,
  };
}

/** The parts of a description that other objects of the manager provide. */
export interface DescribedBy {
  /** Returns the name of a controller in the manager. */
  readonly nameOf: (added: AddedController) => string;
  /** The description of the webhooks. Undefined if there are none. */
  readonly webhooks: DescribedWebhooks | undefined;
}

/**
 * Returns the rules of the `@Rbac` decorators of a runnable or a webhook. Returns none for a controller, because `describeController` adds
 * the rules of the controller.
 */
function rulesOf(added: Added): readonly RbacRule[] {
  if ('runnable' in added) return rbacRulesOf(classOf(added.runnable.runnable));
  return 'webhook' in added && added.webhook.target !== undefined ? rbacRulesOf(added.webhook.target) : [];
}
function describedElection(options: LeaderElectionOptions | string): DescribedElection {
  const { name, namespace, lock, coordinated } =
    typeof options === 'string' ? ({ name: options } as LeaderElectionOptions) : options;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    lease: lock === undefined,
    coordinated: coordinated !== undefined,
  };
}
