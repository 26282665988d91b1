import {
  type CelType,
  celTypes,
  formatType,
  isDynOrError,
  listOf,
  mapOf,
  sameType,
  typeOf,
} from '../values/cel-type.js';

/** The types of the type variables of an expression, keyed by variable name. */
type Substitutions = Map<string, CelType>;

/** Unifies types during the check of one expression. A failed attempt has no side effects. */
export class TypeUnification {
  #substitutions: Substitutions = new Map();
  #variables = 0;

  /** Returns a new, unconstrained type variable. */
  variable(): CelType {
    return { kind: 'param', name: `_var${this.#variables++}`, parameters: [] };
  }

  /** Whether two types unify. If the types unify, stores the resulting types of the variables. */
  assignable(a: CelType, b: CelType): boolean {
    return this.#attempt((trial) => isAssignable(trial, a, b));
  }

  /** Whether two lists of types unify. Stores the resulting types of the variables only if all pairs unify. */
  allAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    return this.#attempt((trial) => areAssignable(trial, a, b));
  }

  /** Returns the type with its variables replaced by their types. Unconstrained variables stay in the type. */
  resolve(type: CelType): CelType {
    return substitute(this.#substitutions, type, false);
  }

  /** Returns the type with its variables replaced by their types. Unconstrained variables become `dyn`. */
  finalize(type: CelType): CelType {
    return substitute(this.#substitutions, type, true);
  }

  #attempt(run: (trial: Substitutions) => boolean): boolean {
    const trial = new Map(this.#substitutions);
    if (!run(trial)) return false;
    this.#substitutions = trial;
    return true;
  }
}

/** Returns the type with the variables of a declaration replaced by fresh variables. */
export function instantiate(type: CelType, fresh: ReadonlyMap<string, CelType>): CelType {
  return substitute(fresh, type, false);
}

/** Returns the less specific of two types that unify. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
      return a.name === b.name && everyPair(a.parameters, b.parameters, isEqualOrLessSpecific);
    case 'list':
    case 'map':
      return everyPair(a.parameters, b.parameters, isEqualOrLessSpecific);
    case 'type':
      return true;
    default:
      return sameType(a, b);
  }
}

function everyPair(
  a: readonly CelType[],
  b: readonly CelType[],
  test: (left: CelType, right: CelType) => boolean,
): boolean {
  if (a.length !== b.length) return false;
  return a.every((left, index) => {
    const right = b[index];
    return right !== undefined && test(left, right);
  });
}

function areAssignable(known: Substitutions, a: readonly CelType[], b: readonly CelType[]): boolean {
  return everyPair(a, b, (left, right) => isAssignable(known, left, right));
}

function isAssignable(known: Substitutions, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const found = bind(known, a, b);
    if (found.valid) return true;
    if (found.bound) return false;
  }
  if (a.kind === 'param') return bind(known, b, a).valid;
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null_type') return isNullable(b);
  if (b.kind === 'null_type') return isNullable(a);
  switch (a.kind) {
    case 'type':
      return b.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return a.kind === b.kind && a.name === b.name && areAssignable(known, a.parameters, b.parameters);
    default:
      return sameType(a, b);
  }
}

function isNullable({ kind }: CelType): boolean {
  return ['null_type', 'opaque', 'struct', 'duration', 'timestamp'].includes(kind);
}

/**
 * Binds a variable to a type if the type unifies with the current type of the variable. In the result, `bound` is true if the variable
 * already had a type, or if the type is the variable itself.
 */
function bind(
  known: Substitutions,
  type: CelType,
  variable: CelType,
): { readonly valid: boolean; readonly bound: boolean } {
  if (sameType(type, variable)) return { valid: true, bound: true };
  const current = known.get(formatType(variable));
  if (current === undefined) {
    if (!occursNotIn(known, variable, type)) return { valid: false, bound: false };
    known.set(formatType(variable), type);
    return { valid: true, bound: false };
  }
  if (sameType(type, current)) return { valid: true, bound: true };
  if (!isAssignable(known, type, current)) return { valid: false, bound: true };
  const general = mostGeneral(type, current);
  if (occursNotIn(known, variable, general)) known.set(formatType(variable), general);
  return { valid: true, bound: true };
}

function occursNotIn(known: Substitutions, variable: CelType, type: CelType): boolean {
  if (sameType(variable, type)) return false;
  if (type.kind === 'param') {
    const current = known.get(formatType(type));
    return current === undefined || occursNotIn(known, variable, current);
  }
  return type.parameters.every((parameter) => occursNotIn(known, variable, parameter));
}

function substitute(known: ReadonlyMap<string, CelType>, type: CelType, toDyn: boolean): CelType {
  if (type.kind === 'param') {
    const current = known.get(type.name);
    if (current !== undefined) return substitute(known, current, toDyn);
    return toDyn ? celTypes.dyn : type;
  }
  const [first, second] = type.parameters;
  if (first === undefined) return type;
  const inner = substitute(known, first, toDyn);
  if (type.kind === 'list') return listOf(inner);
  if (type.kind === 'type') return typeOf(inner);
  if (type.kind === 'map' && second !== undefined) return mapOf(inner, substitute(known, second, toDyn));
  return { ...type, parameters: [inner, ...type.parameters.slice(1).map((one) => substitute(known, one, toDyn))] };
}
