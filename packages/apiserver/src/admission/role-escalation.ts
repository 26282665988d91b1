import { deepEqual } from '@kubewright/api/patch';
import type { ResourceAttributes } from '../authorization/attributes.js';
import type { Authorizer } from '../authorization/authorizer.js';
import { type PolicyRule, rulesOf } from '../authorization/policy-rule.js';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import { withoutEmpty } from '../registry/decoding/go-form.js';
import { objectsAt, stringAt } from '../registry/objects/json-object.js';
import { badRequest, failure, forbidden, notFound } from '../registry/requests/status-errors.js';
import { mastersGroup } from '../registry/requests/user.js';

const group = 'rbac.authorization.k8s.io';
const any = ['*'];
const none: readonly string[] = [];
/** The rules for all verbs on all resources. An aggregationRule requires these permissions. */
const fullAuthority: readonly PolicyRule[] = [
  { verbs: any, apiGroups: any, resources: any, resourceNames: none, nonResourceURLs: none },
  { verbs: any, apiGroups: none, resources: none, resourceNames: none, nonResourceURLs: any },
];

/**
 * Returns a check that throws 403 if a role grants permissions that the user does not have. A role with an aggregationRule requires all
 * permissions. A user with the verb `escalate` on the role can write any rules.
 */
export function roleEscalation(authorizer: Authorizer): AdmissionCheck {
  return (request) => {
    const { definition, object, old, context, key } = request;
    if (!isWriteOf(request, ['roles', 'clusterroles']) || object === undefined) return;
    const mayEscalate = question(request, 'escalate', {
      resource: definition.plural,
      name: context.verb === 'create' ? '' : key.name,
    });
    if (authorizer.allows(mayEscalate)) return;
    const namespace = key.namespace ?? '';
    const why = authorizer.escalation(context.user, namespace, rulesOf(object));
    if (why !== undefined) throw forbidden(definition, key.name, { why });
    if (!aggregates(object) && !aggregates(old)) return;
    if (authorizer.escalation(context.user, namespace, fullAuthority) === undefined) return;
    throw forbidden(definition, key.name, { why: 'must have cluster-admin privileges to use the aggregationRule' });
  };
}

/**
 * Returns a check that throws 403 if the role of a binding grants permissions that the user does not have. Throws 404 if the role does not
 * exist, 400 if a ClusterRoleBinding references a Role, and 500 if the binding references neither a Role nor a ClusterRole. A user with the
 * verb `bind` on the role can bind the role without these permissions, even if the role does not exist.
 */
export function bindingEscalation(authorizer: Authorizer): AdmissionCheck {
  return (request) => {
    const { definition, object, context, key } = request;
    if (!isWriteOf(request, ['rolebindings', 'clusterrolebindings']) || object === undefined) return;
    const role = { kind: stringAt(object, 'roleRef', 'kind'), name: stringAt(object, 'roleRef', 'name') };
    const resource = role.kind === 'Role' ? 'roles' : 'clusterroles';
    const known = role.kind === 'Role' || role.kind === 'ClusterRole';
    if (known && authorizer.allows(question(request, 'bind', { resource, name: role.name }))) return;
    if (!known) {
      throw failure(500, '', { message: `unsupported role reference kind: ${JSON.stringify(role.kind)}` });
    }
    const namespace = key.namespace ?? '';
    if (role.kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.');
    const rules = authorizer.rules(role, namespace);
    // As in kube-apiserver, the error for a missing role contains the resource of the binding, not of the role.
    if (rules === undefined) throw notFound(definition, role.name);
    const why = authorizer.escalation(context.user, namespace, rules);
    if (why !== undefined) throw forbidden(definition, key.name, { why });
  };
}

/**
 * Returns whether the escalation checks apply: the request creates or updates one of the given RBAC resources, the user is not in the group
 * system:masters, and the update changes more than the fields of garbage collection.
 */
function isWriteOf(request: AdmissionRequest, plurals: readonly string[]): boolean {
  const { operation, definition, context, object, old } = request;
  if (operation === 'DELETE' || definition.group !== group || !plurals.includes(definition.plural)) return false;
  if (context.user.groups.includes(mastersGroup)) return false;
  return object === undefined || old === undefined || !onlyGarbageCollected(withoutEmpty(object, definition), old);
}

/** Whether an update changes only fields that the garbage collector can change: owner references, finalizers and managed fields. */
export function onlyGarbageCollected(
  next: NonNullable<AdmissionRequest['object']>,
  old: NonNullable<AdmissionRequest['old']>,
): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const metadata = defined({ ...next.metadata, ownerReferences, finalizers, managedFields });
  return deepEqual({ ...next, metadata }, { ...old, metadata: defined({ ...old.metadata }) });
}

function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function question(
  { context, key }: AdmissionRequest,
  verb: string,
  { resource, name }: { readonly resource: string; readonly name: string },
): ResourceAttributes {
  const namespace = key.namespace ?? '';
  return { kind: 'resource', user: context.user, verb, group, resource, subresource: '', namespace, name };
}

function aggregates(role: unknown): boolean {
  return objectsAt(role, 'aggregationRule', 'clusterRoleSelectors').length > 0;
}
