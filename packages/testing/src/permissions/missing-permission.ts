import type { KindRef } from '@kubewright/api';
import { builtInKinds } from '@kubewright/api/built-in';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Permission } from '@kubewright/api/rbac';
import type { OperatorDescription } from '@kubewright/runtime';
import { rbacText } from '@kubewright/runtime/internal';
import { resourceOf } from '@kubewright/runtime/permissions';
import type { UsedPermission } from './observed-permissions.js';

/** The operator whose request was refused. */
export interface RefusedOperator {
  readonly description: OperatorDescription;
  /** The installed kinds, whose names are in the error. */
  readonly kinds: readonly KindRef[];
  /** Whether the permission is declared now, but was not declared at the start. */
  readonly declaredLate: boolean;
}

/**
 * Returns the error for refused requests. The error names the verbs, the resource, the object, and the decorator to add. The error covers
 * the first refusal, and all refusals of the same controller for the same resource.
 */
export function missingPermission(
  refused: readonly UsedPermission[],
  { description, kinds, declaredLate }: RefusedOperator,
): KubewrightError {
  const [first] = refused;
  if (first === undefined)
    return new KubewrightError('MISSING_PERMISSION', 'the API server rejected a request of the operator');
  const like = refused.filter(
    ({ permission, controller }) => controller === first.controller && isSame(permission, first.permission),
  );
  const verbs = [...new Set(like.map(({ permission }) => permission.verb))].toSorted();
  const kind = kindNamed(first.permission, kinds);
  const remedies = declaredLate
    ? ['add the declaration before the manager starts, because the roles are created at the start']
    : [
        `add ${rbacText(first.permission, { verbs, kind, names: boundRoles(like) })} ${placeOf(first, description)}`,
        ...alternativeRemedy(first, verbs, { kind, description }),
      ];
  const why = declaredLate ? 'the permission was declared after the start' : 'no declaration grants this permission';
  return new KubewrightError(
    'MISSING_PERMISSION',
    `the operator cannot ${verbs.join(' and ')} ${objectText(first, kind)}: ${why}; ${remedies.join(', or ')}`,
  );
}

/**
 * Returns the names of the bound roles. The proposed declaration contains these names, because an operator that can bind every role can
 * grant itself every permission.
 */
function boundRoles(refused: readonly UsedPermission[]): readonly string[] {
  const names = refused.flatMap(({ permission }) =>
    'name' in permission && permission.verb === 'bind' ? (permission.name ?? []) : [],
  );
  return [...new Set(names)].toSorted();
}

function isSame(a: Permission, b: Permission): boolean {
  if ('url' in a || 'url' in b) return 'url' in a && 'url' in b && a.url === b.url;
  return a.group === b.group && a.resource === b.resource && a.namespace === b.namespace;
}

/** Returns a text such as `pods/status 'web' in namespace 'shop' (kind Pod, requested by controller 'shop')`. */
function objectText({ permission, object, controller }: UsedPermission, kind: string | undefined): string {
  const requested = controller === undefined ? [] : [`requested by controller '${controller}'`];
  if ('url' in permission) return [permission.url, ...requested].join(', ');
  const { group, resource, namespace } = permission;
  const named = object === undefined ? '' : ` '${object}'`;
  const where = namespace === undefined ? ' in the whole cluster' : ` in namespace '${namespace}'`;
  const what = [...(kind === undefined ? [] : [`kind ${kind}`]), ...requested];
  return `${resource}${group === '' ? '' : `.${group}`}${named}${where}${what.length === 0 ? '' : ` (${what.join(', ')})`}`;
}

function placeOf({ controller }: UsedPermission, { controllers }: OperatorDescription): string {
  const found = controllers.find(({ name }) => name === controller);
  if (found === undefined) return 'to the class that sends the request';
  return found.className === undefined
    ? `as a rule to the option 'rbac' of controller '${found.name}'`
    : `to class ${found.className}`;
}

/** Suggests `reads` for kinds that are read, and `owns` for possible children. */
function alternativeRemedy(
  { permission, controller }: UsedPermission,
  verbs: readonly string[],
  { kind, description }: { readonly kind: string | undefined; readonly description: OperatorDescription },
): readonly string[] {
  if ('url' in permission || kind === undefined || permission.resource.includes('/')) return [];
  if (verbs.every((verb) => ['get', 'list', 'watch'].includes(verb))) return [`list ${kind} under 'reads'`];
  const reconciled = description.controllers
    .filter(({ name }) => controller === undefined || controller === name)
    .flatMap((one) => (one.for === undefined ? [] : kindOf(one.for.kind)));
  const isOwn = reconciled.some((one) => one.group === permission.group && one.kind === kind);
  const isChildren = !isOwn && verbs.every((verb) => ['create', 'patch', 'delete'].includes(verb));
  return isChildren ? [`list ${kind} under 'owns' if its objects are children`] : [];
}

/** Returns the name of the kind of a resource. Returns undefined for a URL and for an unknown resource. */
function kindNamed(permission: Permission, kinds: readonly KindRef[]): string | undefined {
  if ('url' in permission) return undefined;
  const [plural] = permission.resource.split('/');
  const known = kinds.find((kind) => kindOf(kind).group === permission.group && resourceOf(kind).plural === plural);
  if (known !== undefined) return kindOf(known).kind;
  return builtInKinds().find((kind) => kind.group === permission.group && kind.plural === plural)?.kind;
}
