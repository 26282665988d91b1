import type { KubeObject } from '@kubewright/api';
import type { Plan } from '@kubewright/runtime';

/** The request to the process of a plan. */
export interface PlanMessage {
  readonly root: string;
  /** The path of the compiled program. */
  readonly main: string;
  /** Whether the project has its own copies of the Kubewright packages. */
  readonly hasOwnCopies: boolean;
  /** The kind as the user wrote it: 'Website', 'websites', or 'websites.example.com'. */
  readonly kind: string;
  readonly name: string;
  /** The namespace of a namespaced object. */
  readonly namespace: string;
  readonly controller?: string;
  readonly suppose?: KubeObject;
}

/** The only response of the process. */
export type PlanAnswer =
  | { readonly plan: Plan }
  | { readonly code: string; readonly message: string; readonly stack?: string };
