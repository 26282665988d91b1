/** The names of a kind. */
export interface KindNames {
  readonly group: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  readonly singular?: string | undefined;
  readonly shortNames?: readonly string[] | undefined;
}

/** Returns all names of a kind that kubectl accepts, in lowercase, with and without the group. */
export function namesOfKind({ kind, plural, singular, shortNames = [], group }: KindNames): readonly string[] {
  const names = [kind, plural, singular, ...shortNames].flatMap((name) => name?.toLowerCase() ?? []);
  return [...names, ...names.map((name) => `${name}.${group}`)];
}
