/** The fields of an object that a log contains. */
export interface LoggedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the fields of a Kubernetes object that a log contains. Returns undefined for any other value. */
export function loggedObject(value: object): LoggedObject | undefined {
  const { apiVersion, kind, metadata } = value as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string' || typeof metadata !== 'object' || metadata === null) return undefined;
  const { name, namespace } = metadata as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return undefined;
  return {
    ...(typeof apiVersion === 'string' && { apiVersion }),
    kind,
    ...(typeof namespace === 'string' && { namespace }),
    name,
  };
}
