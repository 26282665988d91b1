import { type Exploration, explore, type ExploreOptions } from '@kubewright/testing';
import type { Bug } from './bug.js';

/** The options of one exploration of a bug. */
export type BugOptions = Pick<ExploreOptions, 'trials' | 'seed' | 'onProgress' | 'problems' | 'shrinkTrials'>;

/** Explores the operator with or without the bug. Each violated rule is a finding. */
export function exploreBug(bug: Bug, isFixed: boolean, options: BugOptions): Promise<Exploration> {
  const { kind, kinds = [], samples = [], objects = [], external, others = [], controller } = bug;
  return explore({
    kinds: [kind, ...kinds],
    controllers: [controller(isFixed), ...others],
    samples,
    objects,
    ...(external && { external }),
    oracles: { ready: 'error' },
    budget: '10m',
    report: 'return',
    ...options,
  });
}
