import type { KindRef, KubeObject, ObjectKey, OwnerReference } from '@kubewright/api';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';

export interface OwnersOptions {
  /** Whether to return all owners of the kind instead of only the controller owner. @default false */
  readonly everyOwner?: boolean | undefined;
  /**
   * Called for each invalid owner reference; without `everyOwner`, only for an invalid controller reference. The other references are still
   * returned.
   */
  readonly onBadReference?: (reference: unknown, error: KubewrightError) => void;
}

/**
 * Returns the controller owner reference of an object, or with `everyOwner` all owner references. Omits references to other kinds. The
 * version in a reference does not matter.
 */
export function ownersOfKind(
  object: KubeObject,
  kind: KindRef,
  { everyOwner = false, onBadReference }: OwnersOptions = {},
): readonly OwnerReference[] {
  const ownerKind = kindOf(kind);
  const references: readonly OwnerReference[] = object.metadata.ownerReferences ?? [];
  return references.filter((reference) => {
    if (!everyOwner && reference?.controller !== true) return false;
    const group = groupOf(reference);
    if (group instanceof KubewrightError) onBadReference?.(reference, group);
    return group === ownerKind.group && reference.kind === ownerKind.kind;
  });
}

/**
 * Returns a mapper that maps an object to its controller owner, or with `everyOwner` to all its owners. Ignores owners of other kinds. The
 * keys have the namespace of the object. Use the mapper for sources and watches. The option `owns` does not need a mapper.
 *
 * @example
 * sourceOf('scans', scannedVolumes, { map: ownerKeys(Machine) })
 */
export function ownerKeys(
  kind: KindRef,
  options: Pick<OwnersOptions, 'everyOwner'> = {},
): (object: KubeObject) => readonly ObjectKey[] {
  return (object) => {
    const { namespace } = object.metadata;
    return ownersOfKind(object, kind, options).map(({ name }) => ({ name, namespace }));
  };
}

/** Returns the API group of an owner reference, or an error if the reference is invalid. */
function groupOf(reference: OwnerReference): string | KubewrightError {
  const { apiVersion, kind, name } = (reference ?? {}) as { readonly [K in keyof OwnerReference]?: unknown };
  const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
  if (parts.length === 0 || parts.length > 2 || parts.includes('')) {
    return bad(`apiVersion ${valueText(apiVersion)}, which is not of the form 'version' or 'group/version'`);
  }
  if (typeof kind !== 'string' || kind === '') return bad('no kind');
  if (typeof name !== 'string' || name === '') return bad('no name');
  return parts.length === 1 ? '' : (parts[0] ?? '');
}
function bad(what: string): KubewrightError {
  return new KubewrightError('INVALID_OWNER', `an owner reference has ${what}`);
}
