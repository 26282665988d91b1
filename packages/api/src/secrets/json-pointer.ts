/** The annotation that has a whole object as text. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns the names and the indexes of a JSON pointer. The pointer of a whole object has none. */
export function namesOfPointer(pointer: string): readonly string[] {
  const escaped = pointer.split('/').slice(1);
  return escaped.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns whether a name is that of a field of a Secret with its values. */
export function isDataName(name: string | undefined): name is 'data' | 'stringData' {
  return name === 'data' || name === 'stringData';
}

/** Returns whether a JSON pointer in a text may lead to the data of a Secret. The text does not show the kind of the object. */
export function isDataPointer(pointer: string): boolean {
  const names = namesOfPointer(pointer);
  return isDataName(names[0]) || names.includes(LAST_APPLIED);
}
