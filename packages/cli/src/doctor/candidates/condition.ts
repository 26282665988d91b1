import type { CelText } from './cel-text.js';

/** A boolean CEL expression in negation normal form: only atoms are negated. */
export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | Atom
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] };

interface Atom {
  readonly kind: 'atom';
  /** The expression of the atom, such as `a == b`. */
  readonly text: CelText;
  /** The expression of the negated atom, such as `a != b`. */
  readonly negated: CelText;
}

/** The condition that is always true. */
export const TRUE: Condition = { kind: 'constant', value: true };
/** The condition that is always false. */
export const FALSE: Condition = { kind: 'constant', value: false };

/** Returns an atom. `negated` is the expression of the negated atom. */
export function atom(text: CelText, negated: CelText): Condition {
  return { kind: 'atom', text, negated };
}

/** Returns the negation of a condition. */
export function not(condition: Condition): Condition {
  switch (condition.kind) {
    case 'constant':
      return condition.value ? FALSE : TRUE;
    case 'atom':
      return atom(condition.negated, condition.text);
    default:
      return joined(condition.kind === 'and' ? 'or' : 'and', condition.parts.map(not));
  }
}

/**
 * Returns a condition that is true if all parts are true. CEL evaluates a part only if all earlier parts are true, so a part can require
 * that the earlier parts are true.
 */
export function and(...parts: readonly Condition[]): Condition {
  return joined('and', parts);
}

/**
 * Returns a condition that is true if at least one part is true. CEL evaluates a part only if all earlier parts are false, so a part can
 * require that the earlier parts are false.
 */
export function or(...parts: readonly Condition[]): Condition {
  return joined('or', parts);
}

/**
 * Returns the parts of an `and` condition. Returns any other condition as the only part, and no part for the condition that is always true.
 */
export function conjuncts(condition: Condition): readonly Condition[] {
  if (condition.kind === 'and') return condition.parts;
  return isTrue(condition) ? [] : [condition];
}

/** Reports whether a condition is always true. */
export function isTrue(condition: Condition): boolean {
  return condition.kind === 'constant' && condition.value;
}

/** Reports whether a condition is always false. */
export function isFalse(condition: Condition): boolean {
  return condition.kind === 'constant' && !condition.value;
}

/** Returns the condition without the parts that are true whenever `given` is true. */
export function remaining(condition: Condition, given: Condition): Condition {
  const facts = factsOf(given);
  return and(...conjuncts(condition).filter((part) => !facts.has(keyOf(part))));
}

/** Returns the keys of all conditions that are true whenever the condition is true. */
function factsOf(condition: Condition): ReadonlySet<string> {
  if (condition.kind === 'and') return new Set(condition.parts.flatMap((part) => [keyOf(part), ...factsOf(part)]));
  if (condition.kind !== 'or') return new Set(isTrue(condition) ? [] : [keyOf(condition)]);
  const [first = new Set<string>(), ...others] = condition.parts.map(factsOf);
  return new Set([keyOf(condition), ...[...first].filter((fact) => others.every((other) => other.has(fact)))]);
}

function joined(kind: 'and' | 'or', all: readonly Condition[]): Condition {
  const neutral = kind === 'and' ? TRUE : FALSE;
  const decisive = kind === 'and' ? FALSE : TRUE;
  const parts: Condition[] = [];
  const keys = new Set<string>();
  for (const part of all.flatMap((each) => (each.kind === kind ? each.parts : [each]))) {
    const short = withoutDecided(kind, part, keys);
    if (short.kind === 'constant') {
      if (short.value !== (neutral.kind === 'constant' && neutral.value)) return decisive;
      continue;
    }
    for (const each of short.kind === kind ? short.parts : [short]) {
      if (keys.has(keyOf(not(each)))) return decisive;
      if (keys.has(keyOf(each))) continue;
      keys.add(keyOf(each));
      parts.push(each);
    }
  }
  const [only, second] = parts;
  if (only === undefined) return neutral;
  return second === undefined ? only : { kind, parts };
}

/**
 * Simplifies a part of an `and` or `or` condition. Removes nested parts whose value follows from the earlier parts, which have the given
 * keys: `!a || (a && b)` becomes `!a || b`.
 */
function withoutDecided(kind: 'and' | 'or', part: Condition, keys: ReadonlySet<string>): Condition {
  const other = kind === 'and' ? 'or' : 'and';
  if (part.kind !== other) return part;
  if (part.parts.some((each) => keys.has(keyOf(each)))) return kind === 'and' ? TRUE : FALSE;
  return joined(
    other,
    part.parts.filter((each) => !keys.has(keyOf(not(each)))),
  );
}

function keyOf(condition: Condition): string {
  if (condition.kind === 'constant') return String(condition.value);
  if (condition.kind === 'atom') return condition.text.text;
  return `${condition.kind}(${condition.parts.map(keyOf).join(', ')})`;
}
