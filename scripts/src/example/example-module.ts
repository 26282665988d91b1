import type { KindRef, KubeObject } from '@kubewright/api';
import type { CacheOptions, Manager, Reconciler } from '@kubewright/runtime';

/** The exports of the module `src/example.ts` of each example, which are sufficient to run the example against a new API server. */
export interface ExampleModule {
  readonly kinds: readonly KindRef[];
  readonly controllers: readonly (new (...services: never[]) => Reconciler<never>)[];
  /** Objects that the samples need in the cluster. @default nothing */
  readonly prepared?: readonly KubeObject[];
  /** The cache options of the manager. @default none */
  readonly cache?: CacheOptions;
  /** Starts the external system of the operator and provides it to the manager; `say` shows a message to the user. @default nothing */
  provide?(manager: Manager, say: (sentence: string) => void): Promise<AsyncDisposable>;
  /** Samples to create when the operator runs. */
  readonly samples: readonly KubeObject[];
  /** Whether the state of a sample is the desired state. */
  isConverged(sample: KubeObject): boolean;
  /** Programs that can run instead of the operator: `npm run example -- NAME PROGRAM`. @default none */
  readonly alternatives?: Readonly<Record<string, ProgramSetup>>;
}

/** What the cluster contains before a program starts. */
export interface ProgramSetup {
  /** Kinds to install. @default none */
  readonly kinds?: readonly KindRef[];
  /** Manifests to create, as paths in the folder of the example. @default none */
  readonly manifests?: readonly string[];
  /** Objects to create. @default none */
  readonly objects?: readonly KubeObject[];
}

/** The exports of an example that has programs instead of controllers. */
export interface ProgramsModule extends ProgramSetup {
  /** Modules of `src/`, which run one after the other, each in its own process. */
  readonly programs: readonly string[];
}
