import type { KubeObject } from '@kubewright/api';
import type { crdFor } from '@kubewright/api/metadata';
import type { Manager, Reconciler } from '@kubewright/runtime';

export type Json = Record<string, unknown>;
/** An object as the server holds it. */
export interface Living {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[];
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}
/** `group/version/plural`. */
export type ResourcePath = `${string}/${string}/${string}`;

/** What an operator works with beside the cluster. It lives in this process, and so has its operator to. */
export interface ExternalSystem {
  /** Forgets all, for the next schedule. */
  reset(): void;
  /** Lets an operator have it. */
  provide(manager: Manager): void;
}

/** Whoever reads what a program prints. */
export interface Listener {
  /** A life of the program begins. */
  begins(): void;
  hears(line: string): void;
}

/** One example under chaos: what its users ask for, and what must be true in the end. */
export interface Scenario {
  /** The example, and behind a slash the program of it, if that is not `main`. */
  readonly name: string;
  /** Returns the scenario as a seed draws it. @default it is the same for each seed */
  readonly drawn?: (seed: number) => Scenario;
  /** What was drawn, one line each. @default nothing */
  readonly detail?: readonly string[];
  /** What its manager runs. @default none: it has no manager to be told of, and is always a process of its own */
  readonly controllers?: readonly (new (
    ...services: never[]
  ) => Reconciler<never>)[];
  readonly kinds: Parameters<typeof crdFor>[0];
  readonly samples: readonly KubeObject[];
  /** What the cluster has before there are samples. @default nothing */
  readonly prepared?: readonly { readonly object: KubeObject; readonly resource: ResourcePath }[];
  /** @default the cluster is all */
  readonly external?: ExternalSystem;
  /** @default what it prints is not looked at */
  readonly listener?: Listener;
  /** Where the samples are. */
  readonly resource: ResourcePath;
  /** Where children are that the operator makes again when somebody else deletes them. */
  readonly children: ResourcePath;
  /** What comes of a sample, and of that in turn. */
  readonly made: readonly ResourcePath[];
  /** What a user changes while the operator works. */
  edit(spec: Json): Json;
  /** Whether the object and its children are what its author asked for; `childrenOf` finds what is owned by a uid, `all` what there is. */
  isConverged(
    object: Living,
    childrenOf: (uid: string, resource: ResourcePath) => readonly Living[],
    all: (resource: ResourcePath) => readonly Living[],
  ): boolean;
  /** What is not yet as it should be beyond each object by itself, one sentence each. @default nothing */
  unmet?(objects: readonly Living[]): readonly string[];
}
