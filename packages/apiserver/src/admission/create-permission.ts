import type { ResourceAttributes } from '../authorization/attributes.js';
import type { Authorizer } from '../authorization/authorizer.js';
import { refusal } from '../authorization/refusal.js';
import type { AdmissionCheck } from '../registry/admission/admission-check.js';

/**
 * Returns a check that requires the permission to `create` if an update or patch creates an object. The check throws 403 if the user does
 * not have this permission.
 */
export function createPermission(authorizer: Authorizer): AdmissionCheck {
  return ({ operation, definition, key, context }) => {
    if (operation !== 'CREATE' || (context.verb !== 'update' && context.verb !== 'patch')) return;
    const attributes: ResourceAttributes = {
      kind: 'resource',
      user: context.user,
      verb: 'create',
      group: definition.group,
      resource: definition.plural,
      subresource: '',
      namespace: key.namespace ?? '',
      name: key.name,
    };
    const { allowed, reason } = authorizer.decide(attributes);
    if (!allowed) throw refusal(attributes, reason);
  };
}
