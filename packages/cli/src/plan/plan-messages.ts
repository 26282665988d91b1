import type { KubeObject } from '@kubewright/api';
import type { Plan } from '@kubewright/runtime';

/** What the process of a plan is asked. */
export interface PlanMessage {
  readonly root: string;
  /** Path of the compiled program. */
  readonly main: string;
  /** Whether the project has copies of our packages of its own. */
  readonly hasOwnCopies: boolean;
  /** As it was written: 'Website', 'websites', 'websites.example.com'. */
  readonly kind: string;
  readonly name: string;
  /** Of an object in a namespace. */
  readonly namespace: string;
  readonly controller?: string;
  readonly suppose?: KubeObject;
}

/** What it answers, once. */
export type PlanAnswer =
  | { readonly plan: Plan }
  | { readonly code: string; readonly message: string; readonly stack?: string };
