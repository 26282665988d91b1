import type { KindRef, KubeObject } from '@kubewright/api';
import type { Constructor, Reconciler } from '@kubewright/runtime';
import type { Oracle } from '@kubewright/testing';

/** A published bug of an operator, rebuilt as its authors might have written it with Kubewright. */
export interface Bug {
  /** The name in the research, such as 'Acto/cass-operator-330'. */
  readonly name: string;
  readonly kind: KindRef;
  /** The object from which the exploration starts. @default a generated object */
  readonly samples?: readonly KubeObject[];
  /** The rules that the bug violates. One of them must be reported. */
  readonly violates: readonly Oracle[];
  /** Returns the controller, with or without the bug. */
  readonly controller: (isFixed: boolean) => Constructor<Reconciler<never>>;
}
