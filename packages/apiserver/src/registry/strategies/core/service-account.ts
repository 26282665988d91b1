import { age } from '../../objects/age.js';
import type { DraftObject } from '../../objects/api-object.js';
import { objectsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';

/** The annotation of a ServiceAccount whose Pods can only use the Secrets that the account references. */
export const enforcedAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** The strategy for ServiceAccounts. The server validates only the metadata of a ServiceAccount. */
export const serviceAccountStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings: (account, old) => {
    const [after, before] = [account, old].map((each) => each?.metadata.annotations?.[enforcedAnnotation]);
    if (after === undefined || before !== undefined) return [];
    const advice = 'prefer separate namespaces to isolate access to mounted secrets';
    return [`metadata.annotations[${enforcedAnnotation}]: deprecated in v1.32+; ${advice}`];
  },
  cells: (account, now) => [account.metadata.name, age(account.metadata.creationTimestamp, now)],
};

/** Removes all fields except `name` from the references to Secrets. */
function keepSecretNames(draft: DraftObject): void {
  if (draft['secrets'] === undefined) return;
  draft['secrets'] = objectsAt(draft, 'secrets').map(({ name }) => (name === undefined ? {} : { name }));
}
