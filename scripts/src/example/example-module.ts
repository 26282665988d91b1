import type { KindRef, KubeObject } from '@kubewright/api';
import type { CacheOptions, Manager, Reconciler } from '@kubewright/runtime';

/** What the module `src/example.ts` of each example exports: enough to run it against a fresh API server. */
export interface ExampleModule {
  readonly kinds: readonly KindRef[];
  readonly controllers: readonly (new (...services: never[]) => Reconciler<never>)[];
  /** What the samples need to find in the cluster. @default nothing */
  readonly prepared?: readonly KubeObject[];
  /** The cache options of the manager. @default none */
  readonly cache?: CacheOptions;
  /** Starts what the operator works with beside the cluster, and gives it to the manager; `say` tells it to who looks on. @default nothing */
  provide?(manager: Manager, say: (sentence: string) => void): Promise<AsyncDisposable>;
  /** Created once the operator runs. */
  readonly samples: readonly KubeObject[];
  /** Whether a sample is what its author asked for. */
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
  /** Modules of `src/`, which are run one after the other, each in a process of its own. */
  readonly programs: readonly string[];
}
