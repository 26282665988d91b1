import type { KindRef } from '@kubewright/api';
import type { RbacRule } from './rbac-decorator.js';
import type { ChildVerb } from './child-verb.js';
import type { DescribedPolicy } from './described-policies.js';
import type { DescribedWebhooks } from './described-webhooks.js';

/** The declarations of an operator, returned by `manager.describe()`. Manifests and RBAC rules are generated from this description. */
export interface OperatorDescription {
  /** The controllers in the order in which they were added. */
  readonly controllers: readonly ControllerDescription[];
  /** The rules of the `@Rbac` decorators of runnables and webhooks. */
  readonly rules: readonly RbacRule[];
  /** The leader election. Undefined if the operator has none. */
  readonly leaderElection?: DescribedElection;
  /** The API version with which events are recorded. */
  readonly events: 'events.k8s.io/v1' | 'v1';
  /** The metrics endpoint that the operator would have in a Pod. False if it would not serve metrics. */
  readonly metrics: DescribedMetrics | false;
  /** The health endpoint that the operator would have in a Pod. False if it would not serve health checks. */
  readonly health: DescribedHealth | false;
  /** The webhooks. Undefined if the operator has none. */
  readonly webhooks?: DescribedWebhooks;
  /** The admission policies in the order in which their classes were added. Undefined if the operator has none. */
  readonly policies?: readonly DescribedPolicy[];
  /** The namespaces that the operator watches. Undefined for all namespaces. */
  readonly namespaces?: readonly string[];
  /** The grace period of the stop in milliseconds. False for no limit. */
  readonly gracePeriodMs: number | false;
}

/** A kind that the operator uses, and the namespaces in which it uses the kind. */
export interface DescribedKind {
  readonly kind: KindRef;
  /** The namespaces of the objects. Undefined for all namespaces. Not relevant for cluster-scoped kinds. */
  readonly namespaces?: readonly string[];
}

/** A kind of children, and how the controller uses the children. */
export interface DescribedChildren extends DescribedKind {
  /** The verbs that the controller uses on the children, in addition to reads. */
  readonly verbs: readonly ChildVerb[];
}

/** The declarations of a controller. */
export interface ControllerDescription {
  /** The name of the controller in the manager. If several controllers have the same name, the later names end with a number. */
  readonly name: string;
  /** The name of the class that declares the controller. Undefined for a controller without a class. */
  readonly className?: string;
  /** The kind that the controller reconciles. Undefined for a controller of keys. */
  readonly for?: DescribedKind;
  /** The kinds of children, from the option `owns` and from each `owned(…)` in the option `watches`. */
  readonly owns: readonly DescribedChildren[];
  /** The kinds in the option `watches`, except kinds of children. */
  readonly watches: readonly DescribedKind[];
  /** The kinds in the option `reads`. */
  readonly reads: readonly DescribedKind[];
  /** Whether the controller may add finalizers to the reconciled objects. */
  readonly finalizes: boolean;
  /** Whether the controller itself writes conditions or the observed generation to the status of the reconciled objects. */
  readonly writesStatus: boolean;
  /** The rules of `@Rbac` and of the option `rbac`. */
  readonly rules: readonly RbacRule[];
  /** The namespaces that the controller watches. Undefined for all namespaces. */
  readonly namespaces?: readonly string[];
}

/** The leader election between the replicas of an operator. */
export interface DescribedElection {
  /** The name of the Lease. */
  readonly name: string;
  /** The namespace of the Lease. Undefined for the namespace of the operator. */
  readonly namespace?: string;
  /** Whether the election uses a Lease of the API server. False for a custom lock. */
  readonly lease: boolean;
  /** Whether replicas create LeaseCandidates, for coordinated leader election. */
  readonly coordinated: boolean;
}
/** The metrics endpoint of an operator. */
export interface DescribedMetrics {
  readonly port: number;
  /** Whether the endpoint uses HTTPS. */
  readonly secure: boolean;
  /** Whether clients of the endpoint need a token with the permission to read metrics. */
  readonly protect: boolean;
}
/** The health endpoint of an operator. */
export interface DescribedHealth {
  readonly port: number;
  readonly livenessPath: string;
  readonly readinessPath: string;
}
