/** An object of the server, with the fields that the exploration reads. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMetadata;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  /** The content of a ConfigMap or a Secret. */
  readonly data?: Readonly<Record<string, string>>;
  /** The fields of an Event. */
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly reportingController?: string;
  readonly source?: { readonly component?: string };
}

export interface StoredMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly generateName?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly { readonly manager?: string; readonly operation?: string }[];
}

interface OwnerReference {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** Returns the name of an object in reports, such as 'Deployment default/web'. */
export function nameOf({ kind, metadata }: StoredObject): string {
  return objectName(kind, metadata);
}

/** Returns the name of an object in reports, with '*' instead of the generated part. */
export function stableNameOf({ kind, metadata }: StoredObject): string {
  const { namespace, name, generateName } = metadata;
  return objectName(kind, { namespace, name: generateName === undefined ? name : `${generateName}*` });
}

/** Returns the name of an object of a kind in reports. */
export function objectName(
  kind: string,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
