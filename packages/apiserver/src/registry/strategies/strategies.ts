import type { Store } from '../../storage/store.js';
import type { Strategy } from '../definitions/strategy.js';
import { coreStrategies, storeStrategies } from './core-strategies.js';
import { groupStrategies } from './group-strategies.js';

const strategies: Readonly<Record<string, () => Partial<Strategy>>> = { ...coreStrategies, ...groupStrategies };

/** Whether the strategy of 'group/plural' reads the store, so that each server has its own instance of the strategy. */
export function usesStore(resource: string): boolean {
  return Object.hasOwn(storeStrategies, resource);
}

/**
 * Returns the strategy of a built-in kind by 'group/plural', or undefined for a kind without its own strategy. Loads the module of the
 * strategy on first use, because a server uses few kinds. The table of a kind without `cells` shows only the name and the age.
 */
export function ownStrategy(resource: string, store: Store): Partial<Strategy> | undefined {
  return usesStore(resource) ? storeStrategies[resource]?.(store) : strategies[resource]?.();
}
