import type { Oracle } from './finding.js';

/** A violated rule of a single history. */
export interface Violation {
  readonly oracle: Oracle;
  readonly sentence: string;
  readonly details: readonly string[];
  /** Equal for violations with probably the same cause. @default the details */
  readonly cause?: string;
}

/** A violation that concerns objects. Violations with objects of the same kinds have the same cause. */
export function violationOf(oracle: Oracle, sentence: string, objects: readonly string[]): Violation {
  return { oracle, sentence, details: objects, cause: kindsOf(objects) };
}

/** Returns the distinct kinds of objects with the given names, in sorted order. */
export function kindsOf(names: readonly string[]): string {
  return [...new Set(names.map((name) => name.split(' ')[0] ?? ''))].toSorted().join(', ');
}
