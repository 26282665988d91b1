import type { KindRef } from '@kubewright/api';
import type { RbacRule } from './rbac-decorator.js';
import type { ChildVerb } from './child-verb.js';

/** The declarations of an operator. `manager.describe()` returns them, and manifests and RBAC rules are generated from them. */
export interface OperatorDescription {
  /** The controllers, in the order in which they were added. */
  readonly controllers: readonly ControllerDescription[];
  /** The `@Rbac` rules of the runnables. */
  readonly rules: readonly RbacRule[];
  /** The leader election. Undefined if there is none. */
  readonly leaderElection?: DescribedElection;
  /** The API version of the recorded events. */
  readonly events: 'events.k8s.io/v1' | 'v1';
  /** The metrics endpoint in a Pod. False if metrics are not served. */
  readonly metrics: DescribedMetrics | false;
  /** The health endpoint in a Pod. False if health checks are not served. */
  readonly health: DescribedHealth | false;
  /** The namespaces of the operator. Undefined for all. */
  readonly namespaces?: readonly string[];
  /** The grace period of the stop, in milliseconds. False for no limit. */
  readonly gracePeriodMs: number | false;
}

/** A kind that the operator uses. */
export interface DescribedKind {
  readonly kind: KindRef;
  /** The namespaces of the objects. Undefined for all. Ignored for cluster-scoped kinds. */
  readonly namespaces?: readonly string[];
}

/** A kind of owned objects. */
export interface DescribedChildren extends DescribedKind {
  /** The verbs that the controller uses on the objects, in addition to reading. */
  readonly verbs: readonly ChildVerb[];
}

/** The declarations of a controller. */
export interface ControllerDescription {
  readonly name: string;
  /** The class with the `@Controller` decorator. Undefined for a controller without a class. */
  readonly className?: string;
  /** The kind that the controller reconciles. Undefined for a controller that reconciles keys. */
  readonly for?: DescribedKind;
  /** The kinds of owned objects. */
  readonly owns: readonly DescribedChildren[];
  /** Other kinds whose changes trigger reconciles. */
  readonly watches: readonly DescribedKind[];
  /** Kinds that the controller reads from the cache. */
  readonly reads: readonly DescribedKind[];
  /** Whether the controller may add finalizers to the reconciled objects. */
  readonly finalizes: boolean;
  /** Whether the framework writes conditions or the observed generation to the status of the reconciled objects. */
  readonly writesStatus: boolean;
  /** The rules of `@Rbac` and of the option `rbac`. */
  readonly rules: readonly RbacRule[];
  /** The namespaces of the controller. Undefined for all. */
  readonly namespaces?: readonly string[];
}

/** The leader election of several replicas. */
export interface DescribedElection {
  /** Name of the Lease. */
  readonly name: string;
  /** Namespace of the Lease. Undefined for the namespace of the operator. */
  readonly namespace?: string;
  /** Whether the election uses a Lease of the API server instead of a custom lock. */
  readonly lease: boolean;
  /** Whether replicas create LeaseCandidates. */
  readonly coordinated: boolean;
}
/** The metrics endpoint. */
export interface DescribedMetrics {
  readonly port: number;
  /** Whether the endpoint uses HTTPS. */
  readonly secure: boolean;
  /** Whether the endpoint requires a token with permission to read metrics. */
  readonly protect: boolean;
}
/** The health endpoint. */
export interface DescribedHealth {
  readonly port: number;
  readonly livenessPath: string;
  readonly readinessPath: string;
}
