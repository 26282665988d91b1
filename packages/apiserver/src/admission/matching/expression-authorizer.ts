import type { Authorize } from '@kubewright/api/cel';
import type { Authorizer } from '../../authorization/authorizer.js';
import { serviceAccountGroups, serviceAccountUserName, type User } from '../../registry/requests/user.js';

/**
 * Returns the function that answers the checks of the variable `authorizer` in CEL expressions. A check applies to the service account that
 * the expression selects, or otherwise to the user of the request.
 */
export function expressionAuthorizer(authorizer: Authorizer, requester: User): Authorize {
  return (check) => {
    const user = check.serviceAccount === undefined ? requester : accountUser(check.serviceAccount);
    const { verb } = check;
    const { allowed, reason } =
      check.kind === 'path'
        ? authorizer.decide({ kind: 'path', user, verb, path: check.path })
        : authorizer.decide({ ...check, user });
    return { allowed, reason: reason ?? '' };
  };
}

function accountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): User {
  const groups = [...serviceAccountGroups(namespace), 'system:authenticated'];
  return { name: serviceAccountUserName(namespace, name), groups };
}
