import type { Strategy } from '../strategy.js';

/** The kinds that have rules of their own, by 'group/plural'. */
export const strategies: ReadonlyMap<string, Partial<Strategy>> = new Map<string, Partial<Strategy>>([]);
