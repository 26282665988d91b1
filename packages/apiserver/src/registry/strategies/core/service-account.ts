import { age } from '../../objects/age.js';
import type { Strategy } from '../../definitions/strategy.js';

/** The strategy for ServiceAccounts. The server validates only the metadata of a ServiceAccount. */
export const serviceAccountStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  cells: (account, now) => [account.metadata.name, age(account.metadata.creationTimestamp, now)],
};
