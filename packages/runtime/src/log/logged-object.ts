/** The fields that identify an object in a log. */
export interface LoggedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Returns the identifying fields of a Kubernetes object for a log; undefined for any other value. */
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
