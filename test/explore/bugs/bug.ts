import type { KindRef, KubeObject } from '@kubewright/api';
import type { Constructor, Reconciler } from '@kubewright/runtime';
import type { ExternalSystem, Oracle } from '@kubewright/testing';

/** The ways in which operators fail, as the research classifies them. */
export type Mechanism =
  | 'crash between two writes'
  | 'state that must be observed'
  | 'feature that stays'
  | 'value that stays'
  | 'field without effect'
  | 'blocked by an error'
  | 'write after the finalizer'
  | 'exception'
  | 'needless write'
  | 'stale read'
  | 'order of a list'
  | 'object of another owner';

/** A published bug of an operator, rebuilt as its authors might have written it with Kubewright. */
export interface Bug {
  /** The name in the research, such as 'Acto/cass-operator-330'. */
  readonly name: string;
  /** The address of the report. @default none: the bug is typical, but has no public report */
  readonly source?: string;
  readonly mechanism?: Mechanism;
  readonly kind: KindRef;
  /** The kinds of children that another operator defines. @default none */
  readonly kinds?: readonly KindRef[];
  /** The object from which the exploration starts. @default a generated object */
  readonly samples?: readonly KubeObject[];
  /** Objects that exist before a trial starts. @default none */
  readonly objects?: readonly KubeObject[];
  /** Creates the external systems of the operator. @default none */
  readonly external?: () => readonly ExternalSystem[];
  /** The rules that the bug violates. One of them must be reported. */
  readonly violates: readonly Oracle[];
  /** The maximum number of trials until the bug is found. @default 30 */
  readonly trials?: number;
  /** Further controllers of the operator. @default none */
  readonly others?: readonly Constructor<Reconciler<never>>[];
  /** Returns the controller, with or without the bug. */
  readonly controller: (isFixed: boolean) => Constructor<Reconciler<never>>;
}
