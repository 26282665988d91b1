/**
 * Describes how an image runs an operator. The Dockerfile is generated from this description. `imageCommand` applies the description
 * without a container engine.
 */
export interface OperatorImage {
  /** The user id. A user name is not possible, because `runAsNonRoot` of Kubernetes can only verify a numeric user. */
  readonly user: number;
  /** The major version of Node.js. */
  readonly node: number;
  readonly folder: string;
  /** The files and folders in the folder of the image: path in the project → path in the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The command that starts the operator in its folder. */
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The memory limit in the manifests. */
  readonly memoryLimitMiB: number;
  /**
   * The percentage of the memory limit that the JavaScript heap may use. A heap full of cached objects needs 1.3 times its size in process
   * memory, and Node.js itself needs 50 MiB. Without this option the heap limit of V8 is at least 256 MiB, even if the container has less
   * memory.
   */
  readonly heapPercentage: number;
}

/** The main file that `kubewright build` writes, relative to the project. */
export const BUNDLE = 'dist/operator.mjs';
/** The folder of the chunks that the main file loads, relative to the project. */
export const BUNDLE_CHUNKS = 'dist/operator-chunks';

/** Returns the description of the image, which is identical for all projects. */
export function imageOf(): OperatorImage {
  const heapPercentage = 60;
  return {
    user: 65_532,
    node: 24,
    folder: '/app',
    files: { [BUNDLE]: 'operator.mjs', [BUNDLE_CHUNKS]: 'operator-chunks' },
    entrypoint: ['/nodejs/bin/node', `--max-old-space-size-percentage=${heapPercentage}`, 'operator.mjs'],
    env: { NODE_ENV: 'production' },
    memoryLimitMiB: 256,
    heapPercentage,
  };
}

/**
 * Returns the command that runs the bundle of the image without a container engine, from the folder of the project. The heap has the same
 * size as in a container with the memory limit.
 */
export function imageCommand(): { readonly command: readonly string[]; readonly env: OperatorImage['env'] } {
  const { memoryLimitMiB, heapPercentage, env } = imageOf();
  const heapMiB = Math.floor((memoryLimitMiB * heapPercentage) / 100);
  return { command: ['node', `--max-old-space-size=${heapMiB}`, BUNDLE], env };
}
