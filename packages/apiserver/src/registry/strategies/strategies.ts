import type { Store } from '../../storage/store.js';
import type { Strategy } from '../strategy.js';
import { coreStrategies, storeStrategies } from './core-strategies.js';
import { groupStrategies } from './group-strategies.js';

const strategies: Readonly<Record<string, () => Partial<Strategy>>> = { ...coreStrategies, ...groupStrategies };

/** Whether the rules of 'group/plural' look at what is stored, so that each server has its own. */
export function usesStore(resource: string): boolean {
  return Object.hasOwn(storeStrategies, resource);
}

/**
 * The rules that a built-in kind has of its own, by 'group/plural'; undefined for kinds without. They are loaded here and
 * now: a server meets few of the kinds. A kind with `cells` is served in full.
 */
export function ownStrategy(resource: string, store: Store): Partial<Strategy> | undefined {
  return usesStore(resource) ? storeStrategies[resource]?.(store) : strategies[resource]?.();
}
