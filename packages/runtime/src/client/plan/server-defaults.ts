import { isJsonObject } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import type { StructuralSchema } from '@kubewright/api/schema';

/**
 * Defaults of the API server that the schemas of Kubernetes do not contain, by field name. Each function returns whether a value is the
 * default. `apiVersion`, `kind` and `status` apply only to embedded objects, such as volume claim templates.
 */
const DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  apiVersion: (value) => value === 'v1',
  kind: (value) => value === 'PersistentVolumeClaim',
  status: (value) => deepEqual(value, { phase: 'Pending' }),
  creationTimestamp: (value) => value === null,
  volumeMode: (value) => value === 'Filesystem',
  protocol: (value) => value === 'TCP',
  defaultMode: (value) => value === 0o644,
  expirationSeconds: (value) => value === 3600,
};

/**
 * Adds missing defaults to a planned object. If the planned object lacks a field and the current value of the field is a default, adds this
 * value, because the server would set it again. This is necessary for lists and maps that an apply replaces as a whole. Does not change
 * lists that are merged by key, or lists whose length has changed.
 */
export function withServerDefaults(planned: unknown, current: unknown, schema: StructuralSchema | undefined): unknown {
  if (Array.isArray(planned) && Array.isArray(current)) {
    if (planned.length !== current.length || schema?.['x-kubernetes-list-type'] === 'map') return planned;
    return planned.map((item, at) => withServerDefaults(item, current[at], schema?.items));
  }
  if (!isJsonObject(planned) || !isJsonObject(current)) return planned;
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(planned)) {
    filled[name] = withServerDefaults(value, current[name], fieldOf(schema, name));
  }
  for (const [name, value] of Object.entries(current)) {
    if (!Object.hasOwn(planned, name) && isDefault(name, value, fieldOf(schema, name))) filled[name] = value;
  }
  return filled;
}

function isDefault(name: string, value: unknown, schema: StructuralSchema | undefined): boolean {
  const { default: byDefault } = schema ?? {};
  if (byDefault !== undefined && deepEqual(byDefault, value)) return true;
  return Object.hasOwn(DEFAULTS, name) && DEFAULTS[name]?.(value) === true;
}
function fieldOf(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const additional = schema?.additionalProperties;
  return schema?.properties?.[name] ?? (typeof additional === 'object' ? additional : undefined);
}
