import type { Kubectl } from './kubectl.js';

/** What a case works with: a kubectl in a namespace of its own, and a folder for its files. */
export interface KubectlBench {
  readonly kubectl: Kubectl;
  readonly folder: string;
}

/** Cases by their titles. They run side by side, each with every kubectl and on every server. */
export type KubectlCases = Readonly<Record<string, (bench: KubectlBench) => Promise<void>>>;
