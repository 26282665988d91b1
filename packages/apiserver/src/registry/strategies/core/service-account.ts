import { age } from '../../age.js';
import type { Strategy } from '../../strategy.js';

/** ServiceAccounts: they have no rules of their own; which Secrets they may have is for others to say. */
export const serviceAccountStrategy: Partial<Strategy> = {
  ownRules: true,
  cells: (account, now) => [account.metadata.name, age(account.metadata.creationTimestamp, now)],
};
