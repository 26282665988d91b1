import { callCost, type CallCost, costsOne, dependsOnResult } from '../cost/call-cost.js';
import { type CallWork, callWork, patternWork } from '../cost/call-work.js';
import { CelError, NO_OVERLOAD, noOverload } from '../values/cel-error.js';
import type { CelType } from '../values/cel-type.js';
import { sameType } from '../values/cel-type.js';
import { CelList, type CelValue } from '../values/cel-value.js';
import type { Evaluate, Frame, Plan } from './frame.js';
import { ListValue } from '../values/list-value.js';
import type { Overload, Run } from '../check/overload.js';
import { compilePattern, type Pattern } from '../library/pattern.js';
import { PlanError } from './plan-error.js';
import { hasRuntimeType, runtimeTypeName } from '../values/runtime-type.js';

/** A call with compiled arguments. */
export interface PlannedCall {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly plans: readonly Plan[];
  readonly types: readonly (CelType | undefined)[];
}

const CONVERSIONS = ['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'];
/** Functions that check the types of their arguments themselves. */
const SELF_CHECKING = /^(_.+_|.+_|@in|size)$/;

/** Compiles a call. At compile time, converts constants, compiles constant patterns, and creates sets for lookups in constant lists. */
export function planCall(call: PlannedCall): Plan {
  const { name, plans, overloads } = call;
  const pattern = constantPattern(call);
  const run = pattern === undefined ? dispatch(call) : matching(pattern, name);
  const [first, second] = plans;
  if (CONVERSIONS.includes(name) && plans.length === 1 && first?.constant !== undefined) {
    const value = run(first.constant);
    if (value instanceof CelError) throw new PlanError(value.message);
    return { run: () => value, constant: value };
  }
  if (name === '@in' && first !== undefined && second?.constant instanceof ListValue) {
    const membership = planMembership(first.run, second.constant);
    if (membership !== undefined) return membership;
  }
  const id = overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
  const work = pattern === undefined ? callWork(name, id) : patternWork(pattern.size);
  return {
    run: evaluating(
      plans.map((argument) => argument.run),
      { run, cost: callCost(name, id), work },
    ),
  };
}

interface Computation {
  readonly run: Run;
  readonly cost: CallCost;
  readonly work: CallWork | undefined;
}

function evaluating(args: readonly Evaluate[], computation: Computation): Evaluate {
  const [a, b] = args;
  const { run, cost, work } = computation;
  const simple = costsOne(cost) && work === undefined;
  if (a !== undefined && b === undefined) {
    return (frame) => {
      const value = a(frame);
      if (!simple) return compute(frame, [value], computation);
      frame.charge(1);
      return value instanceof CelError ? value : run(value);
    };
  }
  if (a !== undefined && b !== undefined && args.length === 2) {
    return (frame) => {
      const left = a(frame);
      const right = b(frame);
      if (!simple) return compute(frame, [left, right], computation);
      frame.charge(1);
      if (left instanceof CelError) return left;
      return right instanceof CelError ? right : run(left, right);
    };
  }
  return (frame) => {
    const values: CelValue[] = [];
    for (const argument of args) {
      const value = argument(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    return compute(frame, values, computation);
  };
}

function compute(frame: Frame, values: readonly CelValue[], { run, cost, work }: Computation): CelValue {
  const failed = firstError(values);
  const late = dependsOnResult(cost);
  if (work !== undefined && frame.isBrief) frame.announce(work(values));
  if (!late) frame.charge(cost(values, null));
  const result = failed ?? run(...values);
  if (late) frame.charge(cost(values, result));
  return result;
}

function firstError(values: readonly CelValue[]): CelError | undefined {
  for (const value of values) if (value instanceof CelError) return value;
  return undefined;
}

/**
 * Returns a function that selects the overload for the values and runs it. Does not check the types of the values if they are known at
 * compile time.
 */
function dispatch({ name, overloads, types }: PlannedCall): Run {
  const [only] = overloads;
  if (only === undefined) return () => NO_OVERLOAD;
  if (SELF_CHECKING.test(name)) return only.run;
  if (name === 'flatten') return unguarded(name, overloads);
  const certain = overloads.length === 1 && only.args.every((type, index) => isCertain(type, types[index]));
  if (certain) return only.run;
  if (['contains', 'startsWith', 'endsWith'].includes(name)) {
    return (...args) => (args.every((value) => typeof value === 'string') ? only.run(...args) : NO_OVERLOAD);
  }
  if (name === 'matches') {
    return (text, pattern) => {
      if (typeof text !== 'string') return noOverload('matches');
      return typeof pattern === 'string' ? only.run(text, pattern) : NO_OVERLOAD;
    };
  }
  return (...args) => {
    const fitting = overloads.find((overload) => {
      return overload.args.every((type, index) => hasRuntimeType(args[index] ?? null, type));
    });
    if (fitting !== undefined) return fitting.run(...args);
    return noOverload(`${name}(${args.map(runtimeTypeName).join(', ')})`);
  };
}

/** Returns a function that selects the overload by the number of arguments. Accepts lists whose elements do not have the declared type. */
function unguarded(name: string, overloads: readonly Overload[]): Run {
  return (...args) => {
    const [list] = args;
    const overload = overloads.find((one) => one.args.length === args.length);
    if (list instanceof CelList && overload !== undefined) return overload.run(...args);
    return noOverload(`${runtimeTypeName(list ?? null)}.${name}()`);
  };
}

function isCertain(declared: CelType, actual: CelType | undefined): boolean {
  if (declared.kind === 'param' || declared.kind === 'dyn') return true;
  if (actual === undefined || actual.kind === 'dyn') return false;
  if (sameType(declared, actual)) return true;
  if (declared.kind !== actual.kind || declared.name !== actual.name) return false;
  return declared.parameters.every((parameter, index) => isCertain(parameter, actual.parameters[index]));
}

const MATCHING = ['matches', 'find', 'findAll'];

/** Returns the compiled pattern of a call, or undefined if the pattern of the call is not a constant. */
function constantPattern({ name, plans }: PlannedCall): Pattern | undefined {
  const pattern = plans[1]?.constant;
  if (!MATCHING.includes(name) || typeof pattern !== 'string') return undefined;
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) throw new PlanError(compiled.message);
  return compiled;
}

function matching(pattern: Pattern, name: string): Run {
  return (text, _pattern, limit) => (typeof text === 'string' ? match(pattern, name, { text, limit }) : NO_OVERLOAD);
}

function match(
  pattern: Pattern,
  name: string,
  { text, limit }: { readonly text: string; readonly limit: CelValue | undefined },
): CelValue {
  if (name === 'matches') return pattern.test(text);
  if (name === 'find') return pattern.find(text);
  return new ListValue(pattern.findAll(text, typeof limit === 'bigint' ? Number(limit) : -1));
}

/**
 * Compiles `x in [constants]`. The call has no cost. For a list of strings, the duration does not depend on the length of the list. Returns
 * undefined if the list contains a constant that is not a string, a number or a Boolean.
 */
function planMembership(value: Evaluate, list: ListValue): Plan | undefined {
  const { elements } = list;
  const [first] = elements;
  if (first === undefined) return { run: () => false, constant: false };
  if (elements.every((element) => typeof element === 'string')) {
    const texts = new Set<CelValue>(elements);
    return {
      run: (frame) => {
        const found = value(frame);
        return found instanceof CelError ? found : texts.has(found);
      },
    };
  }
  if (!elements.every((element) => ['bigint', 'number', 'boolean', 'string'].includes(typeof element)))
    return undefined;
  return {
    run: (frame) => {
      const found = value(frame);
      if (frame.isBrief) frame.announce(elements.length);
      return found instanceof CelError ? found : list.contains(found);
    },
  };
}
