import type { KindRef } from '@kubewright/api';
import type { RbacRule } from '../../controller/rbac-decorator.js';
import type { ChildVerb } from '../../controller/triggers/watch-declaration.js';

/** What an operator is, by its declarations alone: what `manager.describe()` gives, and manifests and rights are made from. */
export interface OperatorDescription {
  /** In the order in which they were added. */
  readonly controllers: readonly ControllerDescription[];
  /** What `@Rbac` says of parts that are no controllers. */
  readonly rules: readonly RbacRule[];
  /** Undefined for no election. */
  readonly leaderElection?: DescribedElection;
  /** By which API events are recorded. */
  readonly events: 'events.k8s.io/v1' | 'v1';
  /** False where no metrics are served. */
  readonly metrics: DescribedMetrics | false;
  /** False where no health is served. */
  readonly health: DescribedHealth | false;
  /** The namespaces that it works in; undefined for all. */
  readonly namespaces?: readonly string[];
  /** How long it may take to stop, in milliseconds; false for as long as it likes. */
  readonly gracePeriodMs: number | false;
}

/** A kind that is worked with. */
export interface DescribedKind {
  readonly kind: KindRef;
  /** The namespaces in which it is; undefined for all. Does not matter for kinds without namespaces. */
  readonly namespaces?: readonly string[];
}

/** A kind of children. */
export interface DescribedChildren extends DescribedKind {
  /** What is done with them, beside reading them. */
  readonly verbs: readonly ChildVerb[];
}

/** What a controller declares. */
export interface ControllerDescription {
  readonly name: string;
  /** The class that has the `@Controller`; undefined for one that was declared without a class. */
  readonly className?: string;
  /** The kind that it reconciles; undefined for one that reconciles keys. */
  readonly for?: DescribedKind;
  /** The kinds of children. */
  readonly owns: readonly DescribedChildren[];
  /** Other kinds whose changes lead to reconciles. */
  readonly watches: readonly DescribedKind[];
  /** Kinds that are read from the cache. */
  readonly reads: readonly DescribedKind[];
  /** Whether it puts finalizers on the objects that it reconciles. */
  readonly finalizes: boolean;
  /** Whether the framework itself writes conditions, or the observed generation, into the status of those. */
  readonly writesStatus: boolean;
  /** What `@Rbac` adds. */
  readonly rules: readonly RbacRule[];
  /** The namespaces that it works in; undefined for all. */
  readonly namespaces?: readonly string[];
}

/** How one of several replicas is elected. */
export interface DescribedElection {
  /** Name of the Lease. */
  readonly name: string;
  /** Where the Lease is; undefined for the namespace of the operator. */
  readonly namespace?: string;
  /** Whether there is a Lease of the API server, and not a lock of one's own. */
  readonly lease: boolean;
  /** Whether replicas announce themselves by LeaseCandidates. */
  readonly coordinated: boolean;
}
/** Where metrics are served. */
export interface DescribedMetrics {
  readonly port: number;
  /** Whether by HTTPS. */
  readonly secure: boolean;
  /** Whether only to those who have a token and the right to. */
  readonly protect: boolean;
}
/** Where health is served. */
export interface DescribedHealth {
  readonly port: number;
  readonly livenessPath: string;
  readonly readinessPath: string;
}
