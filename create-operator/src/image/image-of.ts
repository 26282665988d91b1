/** An operator as its image runs it. The Dockerfile is made of it; without a container engine the same can be run by hand. */
export interface OperatorImage {
  /** Numeric, since only of a number does Kubernetes know that it is not root: `runAsNonRoot`. */
  readonly user: number;
  /** The major version of Node.js. */
  readonly node: number;
  readonly folder: string;
  /** What is in its folder, by where it comes from in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** How it is started, in its folder. */
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What the manifests limit its memory to. */
  readonly memoryLimitMiB: number;
  /**
   * How much of the memory limit is for the heap of JavaScript, in percent. A heap that is full of a cache takes 1.3 times as much of
   * memory, and Node.js itself 50 MiB; V8 by itself would take no less than 256 MiB, however little there is.
   */
  readonly heapPercentage: number;
}

/** What `kubewright build` makes: the whole operator in one file, relative to the project. */
export const BUNDLE = 'dist/operator.mjs';

/** The image of an operator. It is the same for each: nothing in it depends on the project. */
export function imageOf(): OperatorImage {
  const heapPercentage = 60;
  return {
    user: 65_532,
    node: 24,
    folder: '/app',
    files: { [BUNDLE]: 'operator.mjs' },
    entrypoint: ['/nodejs/bin/node', `--max-old-space-size-percentage=${heapPercentage}`, 'operator.mjs'],
    env: { NODE_ENV: 'production' },
    memoryLimitMiB: 256,
    heapPercentage,
  };
}

/**
 * The same without a container engine, by the Node.js that there is, from the folder of the project. The heap is as large as in a container
 * with that limit.
 */
export function imageCommand(): { readonly command: readonly string[]; readonly env: OperatorImage['env'] } {
  const { memoryLimitMiB, heapPercentage, env } = imageOf();
  const heapMiB = Math.floor((memoryLimitMiB * heapPercentage) / 100);
  return { command: ['node', `--max-old-space-size=${heapMiB}`, BUNDLE], env };
}
