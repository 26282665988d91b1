/** An operator as its image runs it. The Dockerfile is made of it; without a container engine the same can be run by hand. */
export interface OperatorImage {
  /** Numeric, since only of a number does Kubernetes know that it is not root: `runAsNonRoot`. */
  readonly user: number;
  /** The major version of Node.js. */
  readonly node: number;
  readonly folder: string;
  /** What is in its folder, by where it comes from in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** How it is started, with `program` for the file that is run. */
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How much of the memory limit is for the heap of JavaScript, in percent; the rest is for Node.js itself, buffers and stacks. */
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
    heapPercentage,
  };
}
