import type { KindRef, KubeObject } from '@kubewright/api';
import type { CacheOptions, Component, Constructor, Manager, Reconciler } from '@kubewright/runtime';

/** The exports of `src/example.ts` in each example with controllers. `npm run example` uses them to run the example on a new API server. */
export interface ExampleModule {
  /** All versions of all kinds. The first class is the kind of the samples. */
  readonly kinds: readonly KindRef[];
  readonly controllers: readonly (new (...services: never[]) => Reconciler<never>)[];
  /** The webhooks, which the API server calls by URL. @default none */
  readonly webhooks?: readonly Constructor<Component>[];
  /** Objects to create before the operator starts, because the samples need them. @default none */
  readonly prepared?: readonly KubeObject[];
  /** The cache options of the manager. @default none */
  readonly cache?: CacheOptions;
  /** Starts the external system of the operator, and provides it to the manager. `say` prints a message. @default no external system */
  provide?(manager: Manager, say: (sentence: string) => void): Promise<AsyncDisposable>;
  /** Samples to create after the operator has started. */
  readonly samples: readonly KubeObject[];
  /** Reports whether a sample is in the desired state. */
  isConverged(sample: KubeObject): boolean;
  /** Programs to run instead of the operator with `npm run example -- NAME PROGRAM`, by name. @default none */
  readonly alternatives?: Readonly<Record<string, ProgramSetup>>;
}

/** The kinds and objects to create before a program starts. */
export interface ProgramSetup {
  /** Kinds to install. @default none */
  readonly kinds?: readonly KindRef[];
  /** The paths of manifests to create, relative to the folder of the example. @default none */
  readonly manifests?: readonly string[];
  /** Objects to create. @default none */
  readonly objects?: readonly KubeObject[];
}

/** The exports of `src/example.ts` in each example with programs instead of controllers. */
export interface ProgramsModule extends ProgramSetup {
  /** The names of modules in `src/`. They run one after the other, each in a separate process. */
  readonly programs: readonly string[];
}
