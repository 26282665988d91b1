import type { Kubectl } from './kubectl.js';

/** The environment of a case: a kubectl with its own namespace, and a folder for the files of the case. */
export interface KubectlBench {
  readonly kubectl: Kubectl;
  readonly folder: string;
}

/** Cases by title. The cases run concurrently, each with every kubectl of this machine, on the server for the test run. */
export type KubectlCases = Readonly<Record<string, (bench: KubectlBench) => Promise<void>>>;
