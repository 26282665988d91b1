import { age } from '../age.js';
import type { Strategy } from '../strategy.js';

/** ServiceAccounts: their schema says it all. */
export const serviceAccountStrategy: Partial<Strategy> = {
  cells: (account, now) => [account.metadata.name, age(account.metadata.creationTimestamp, now)],
};
