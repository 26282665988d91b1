/** The annotation of client-side apply. Its value is the applied object as JSON. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the names and the indexes of a JSON pointer. Returns an empty list for a pointer to the whole document. */
export function namesOfPointer(pointer: string): readonly string[] {
  const escaped = pointer.split('/').slice(1);
  return escaped.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether a name is `data` or `stringData`, the fields with the values of a Secret. */
export function isDataName(name: string | undefined): name is 'data' | 'stringData' {
  return name === 'data' || name === 'stringData';
}

/**
 * Whether a JSON pointer in a text may refer to the data of a Secret or to the last applied configuration. The text does not contain the
 * kind of the object, so the pointer can also refer to the data of another kind.
 */
export function isDataPointer(pointer: string): boolean {
  const names = namesOfPointer(pointer);
  return isDataName(names[0]) || names.includes(LAST_APPLIED);
}
