import type { Kubectl } from './kubectl.js';

/** The environment of a case: a kubectl with its own namespace, and a folder for its files. */
export interface KubectlBench {
  readonly kubectl: Kubectl;
  readonly folder: string;
}

/** Cases by title. They run concurrently, each with every kubectl and on every server. */
export type KubectlCases = Readonly<Record<string, (bench: KubectlBench) => Promise<void>>>;
