import type { KubeObject } from '@kubewright/api';
import type { crdFor } from '@kubewright/api/metadata';
import type { Manager, Reconciler } from '@kubewright/runtime';

export type Json = Record<string, unknown>;
/** An object as stored in the server. */
export interface StoredObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[];
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}
/** `group/version/plural`. */
export type ResourcePath = `${string}/${string}/${string}`;

/** The external system of an operator. The system runs in this process, so its operator must also run in this process. */
export interface ExternalSystem {
  /** Removes all state before the next schedule. */
  reset(): void;
  /** Provides the external system to an operator. */
  provide(manager: Manager): void;
}

/** Receives the output of a program. */
export interface OutputListener {
  /** Called when the program starts. */
  onStart(): void;
  onLine(line: string): void;
}

/** One example under chaos: the changes that its users make, and the final state that must hold. */
export interface Scenario {
  /** The name of the example, followed by a slash and the name of the program if the program is not `main`. */
  readonly name: string;
  /** Returns the scenario for a seed. @default the same scenario for each seed */
  readonly forSeed?: (seed: number) => Scenario;
  /** The random values of the scenario, one line each. @default nothing */
  readonly detail?: readonly string[];
  /** The controllers of the manager. @default none: the program has no manager and always runs in its own process */
  readonly controllers?: readonly (new (
    ...services: never[]
  ) => Reconciler<never>)[];
  readonly kinds: Parameters<typeof crdFor>[0];
  readonly samples: readonly KubeObject[];
  /** Objects that exist in the cluster before the samples. @default nothing */
  readonly prepared?: readonly { readonly object: KubeObject; readonly resource: ResourcePath }[];
  /** @default no external system */
  readonly external?: ExternalSystem;
  /** @default the output is ignored */
  readonly listener?: OutputListener;
  /** Resource of the samples. */
  readonly resource: ResourcePath;
  /** Resource of the children that the operator recreates if another client deletes them. */
  readonly children: ResourcePath;
  /** Resources of the objects that are created for a sample, and of objects that are created for those objects. */
  readonly made: readonly ResourcePath[];
  /** Returns the spec as a user changes it while the operator runs. */
  edit(spec: Json): Json;
  /**
   * Whether the object and its children match the desired state. `childrenOf` returns the objects that are owned by a uid; `all` returns
   * all objects.
   */
  isConverged(
    object: StoredObject,
    childrenOf: (uid: string, resource: ResourcePath) => readonly StoredObject[],
    all: (resource: ResourcePath) => readonly StoredObject[],
  ): boolean;
  /** Describes violations that do not concern a single object, one sentence each. @default nothing */
  unmet?(objects: readonly StoredObject[]): readonly string[];
}
