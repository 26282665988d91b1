import type { KindRef } from '@kubewright/api';
import { type AdmissionRecord, type AdmissionType, kindOf, invalidWebhook } from '@kubewright/api/metadata';
import type { DescribedAdmissionWebhook } from '../rbac/described-webhooks.js';

type Operation = DescribedAdmissionWebhook['operations'][number];

/** The methods that an admission webhook implements. */
export interface AdmissionMethods {
  readonly mutate: boolean;
  readonly validate: boolean;
}

/**
 * Returns the webhooks of a declaration with all defaults applied: a mutating webhook, a validating webhook, or both. `where` names the
 * class or the call of the manager in messages. Throws INVALID_WEBHOOK if a mutating webhook is declared only for delete.
 */
export function describedAdmission(
  { type, options }: AdmissionRecord,
  methods: AdmissionMethods,
  where: string,
): readonly DescribedAdmissionWebhook[] {
  const { mutate, validate } = implemented(type, methods);
  const operations = (options.operations ?? ['create', 'update']).map((each) => each.toUpperCase() as Operation);
  // The request to delete an object does not contain an object to change.
  const mutated = operations.filter((operation) => operation !== 'DELETE');
  if (mutate && mutated.length === 0) {
    const remedy = validate
      ? 'remove mutate, or add another operation'
      : 'define validate instead, or add another operation';
    throw invalidWebhook(where, `mutate is not called on delete; ${remedy}`);
  }
  const both = mutate && validate;
  const described = (as: 'mutate' | 'validate'): DescribedAdmissionWebhook => ({
    type: as === 'mutate' ? 'mutating' : 'validating',
    declaredBy: where,
    name: nameOf(options, as, both),
    path: pathOf(options, as, both),
    kind: options.for,
    ...(options.subresource !== undefined && { subresource: options.subresource }),
    operations: as === 'mutate' ? mutated : operations,
    failurePolicy: options.failurePolicy ?? 'Fail',
    sideEffects: options.sideEffects ?? 'None',
    timeoutSeconds: options.timeoutSeconds ?? 10,
    matchPolicy: options.matchPolicy ?? 'Equivalent',
    ...(as === 'mutate' && { reinvocationPolicy: options.reinvocationPolicy ?? 'Never' }),
    ...(options.namespaceSelector !== undefined && { namespaceSelector: options.namespaceSelector }),
    ...(options.objectSelector !== undefined && { objectSelector: options.objectSelector }),
    matchConditions: (options.matchConditions ?? []).map(({ name, expression }) => ({ name, expression })),
  });
  return [...(mutate ? [described('mutate')] : []), ...(validate ? [described('validate')] : [])];
}

function implemented(type: AdmissionType, methods: AdmissionMethods): AdmissionMethods {
  if (type === 'admission') return methods;
  return { mutate: type === 'defaulter', validate: type === 'validator' };
}
/**
 * Returns the declared name of a webhook, after `mutate.` or `validate.` if the declaration has both webhooks. If no name is declared,
 * returns a name such as 'mutate.cronjob.v1.batch.example.com'.
 */
function nameOf({ name, for: kind, subresource }: AdmissionRecord['options'], as: string, both: boolean): string {
  if (name !== undefined) return both ? `${as}.${name}` : name;
  const { group, version, kind: kindName } = kindOf(kind);
  const parts = [as, subresource, kindName.toLowerCase(), version, group === '' ? 'core' : group];
  return parts.filter((part) => part !== undefined).join('.');
}
/**
 * Returns the declared path of a webhook, followed by `/mutate` or `/validate` if the declaration has both webhooks. If no path is
 * declared, returns the default path.
 */
function pathOf({ path, for: kind, subresource }: AdmissionRecord['options'], as: string, both: boolean): string {
  if (path !== undefined) return both ? `${path}/${as}` : path;
  const suffix = subresource === undefined ? '' : `-${subresource}`;
  return `${defaultPath(as, kind)}${suffix}`;
}
/** Returns the default path of controller-runtime, in which the group is empty for a core kind. */
function defaultPath(as: string, kind: KindRef): string {
  const { group, version, kind: kindName } = kindOf(kind);
  return `/${as}-${group.replaceAll('.', '-')}-${version}-${kindName.toLowerCase()}`;
}
