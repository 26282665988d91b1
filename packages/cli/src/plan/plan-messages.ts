import type { KubeObject } from '@kubewright/api';
import type { Plan } from '@kubewright/runtime';

/** The message to the child process that plans a reconcile. */
export interface PlanMessage {
  readonly root: string;
  /** The path of the compiled program. */
  readonly main: string;
  /** Whether the project has its own copies of the Kubewright packages. */
  readonly hasOwnCopies: boolean;
  /** The kind in any form that kubectl accepts: 'Website', 'websites', or 'websites.example.com'. */
  readonly kind: string;
  readonly name: string;
  /** The namespace of the object. Ignored for cluster-scoped kinds. */
  readonly namespace: string;
  readonly controller?: string;
  /** The object that the plan uses instead of the object in the cluster, as if the user had applied it. @default none */
  readonly suppose?: KubeObject;
}

/** The only message from the child process: the plan, or an error. */
export type PlanAnswer =
  | { readonly plan: Plan }
  | { readonly code: string; readonly message: string; readonly stack?: string };
