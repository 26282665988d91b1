import type { Store } from '../../storage/store.js';
import type { Strategy } from '../strategy.js';
import { coreStrategies } from './core-strategies.js';
import { groupStrategies } from './group-strategies.js';

/** The kinds that have rules of their own, by 'group/plural'. A kind with `cells` is served in full. */
export function builtInStrategies(store: Store): ReadonlyMap<string, Partial<Strategy>> {
  return new Map([...coreStrategies(store), ...groupStrategies]);
}
