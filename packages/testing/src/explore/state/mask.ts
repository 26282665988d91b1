import type { Difference } from './state-differences.js';

/** Fields that differ between two equal histories, such as random passwords. The comparison of worlds ignores them. */
export class Mask {
  readonly #fields = new Set<string>();

  /** @param fields fields to ignore, such as 'Secret data.password': a kind, and a path in each object of this kind */
  constructor(fields: readonly string[] = []) {
    for (const field of fields) this.#fields.add(field);
  }

  /** Ignores these differences from now on. */
  add(differences: readonly Difference[]): void {
    for (const difference of differences) this.#fields.add(fieldOf(difference));
  }

  /** Returns the differences that are not in fields to ignore. */
  apply(differences: readonly Difference[]): readonly Difference[] {
    return differences.filter((difference) => !this.#has(fieldOf(difference)));
  }

  #has(field: string): boolean {
    for (const masked of this.#fields) if (field === masked || field.startsWith(`${masked}.`)) return true;
    return false;
  }
}

/** Returns the kind of the object and the path of the field, without the indexes of lists. */
export function fieldOf({ object, path }: Difference): string {
  const [kind] = object.split(' ');
  return `${kind} ${path.replace(/\[\d+\]/g, '[]')}`.trimEnd();
}
