import { decodeManagedFields, FieldSet } from '@kubewright/api/apply';
import { isJsonObject } from '@kubewright/api/json';
import type { StoredObject } from './stored-object.js';

/** The field manager of the change by another client in a fault `conflict`. */
export const STRANGER = 'stranger';
/** The field managers of the components of a cluster and of the trial. All other managers belong to the operator. */
const OTHERS = new Set([
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kubewright-test',
  STRANGER,
]);

/**
 * Returns the object with only the fields that the operator wrote, according to `managedFields`. Fields that the server adds, such as
 * defaults and allocated addresses, depend on the history of an object even if the operator is correct.
 */
export function operatorFields(object: StoredObject): Readonly<Record<string, unknown>> {
  const { managedFields } = object.metadata;
  let fields = FieldSet.EMPTY;
  for (const entry of decodeManagedFields(managedFields).values()) {
    if (!OTHERS.has(entry.manager)) fields = fields.union(entry.fields);
  }
  const { apiVersion, kind } = object;
  const written = fields.isEmpty ? {} : (project(object, fields) as Readonly<Record<string, unknown>>);
  return { apiVersion, kind, ...written };
}

/** Whether the operator wrote at least one field of the object. */
export function isWrittenByOperator({ metadata: { managedFields = [] } }: StoredObject): boolean {
  return managedFields.some(({ manager = '' }) => !OTHERS.has(manager));
}

/** Returns the value with only the members of a field set, and the fields below them. */
function project(value: unknown, fields: FieldSet): unknown {
  if (Array.isArray(value)) return projectList(value, fields);
  if (!isJsonObject(value)) return value;
  const projected: Record<string, unknown> = {};
  for (const { field } of fields.members.values()) {
    if (field !== undefined && field in value) projected[field] = value[field];
  }
  for (const { element, set } of fields.children.values()) {
    const { field } = element;
    if (field !== undefined && field in value) projected[field] = project(value[field], set);
  }
  return projected;
}

function projectList(items: readonly unknown[], fields: FieldSet): readonly unknown[] {
  const keyed = [...fields.children.values()].flatMap(({ element, set }) => {
    const item = items.find((each) =>
      element.keys?.every(([name, value]) => isJsonObject(each) && each[name] === value),
    );
    if (item === undefined) return [];
    return [{ ...(project(item, set) as object), ...Object.fromEntries(element.keys ?? []) }];
  });
  const values = [...fields.members.values()].flatMap(({ value, keys }) =>
    keys === undefined && items.includes(value) ? [value] : [],
  );
  const alone = [...fields.members.values()].flatMap(({ id, keys }) =>
    keys !== undefined && !fields.children.has(id) ? [Object.fromEntries(keys)] : [],
  );
  return [...keyed, ...alone, ...values];
}
