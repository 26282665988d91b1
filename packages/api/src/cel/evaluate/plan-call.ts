import { callCost, costsOne, type CallCost } from '../cost/call-cost.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import type { CelType } from '../values/cel-type.js';
import { sameType } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';
import { CelList } from '../values/collections.js';
import type { Evaluate, Plan } from './frame.js';
import { ListValue } from '../values/list-value.js';
import type { Overload, Run } from '../check/overload.js';
import { compilePattern, type Pattern } from '../library/pattern.js';
import { PlanError } from './plan-error.js';
import { hasRuntimeType, runtimeTypeName } from '../values/runtime-type.js';

/** A call whose arguments are planned. */
export interface PlannedCall {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly plans: readonly Plan[];
  readonly types: readonly (CelType | undefined)[];
}

const CONVERSIONS = ['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'];
/** Functions that look at the types of their values themselves. */
const SELF_CHECKING = /^(_.+_|.+_|@in|size)$/;

/** Makes a call ready. What is constant is computed now: conversions, patterns, sets to look things up in. */
export function planCall(call: PlannedCall): Plan {
  const { name, plans, overloads } = call;
  const run = withPattern(call) ?? dispatch(call);
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
  return {
    run: evaluating(
      plans.map((argument) => argument.run),
      run,
      callCost(name, id),
    ),
  };
}

function evaluating(args: readonly Evaluate[], run: Run, cost: CallCost): Evaluate {
  const [a, b] = args;
  const one = costsOne(cost);
  if (a !== undefined && b === undefined) {
    return (frame) => {
      const value = a(frame);
      const result = value instanceof CelError ? value : run(value);
      frame.charge(one ? 1 : cost([value], result));
      return result;
    };
  }
  if (a !== undefined && b !== undefined && args.length === 2) {
    return (frame) => {
      const left = a(frame);
      const right = b(frame);
      const failed = left instanceof CelError ? left : right instanceof CelError ? right : undefined;
      const result = failed ?? run(left, right);
      frame.charge(one ? 1 : cost([left, right], result));
      return result;
    };
  }
  return (frame) => {
    const values: CelValue[] = [];
    for (const argument of args) {
      const value = argument(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    const result = run(...values);
    frame.charge(cost(values, result));
    return result;
  };
}

/** What runs the overload that fits the values; if their types are certain, without looking. */
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
      if (typeof text !== 'string') return new CelError('no such overload: matches');
      return typeof pattern === 'string' ? only.run(text, pattern) : NO_OVERLOAD;
    };
  }
  return (...args) => {
    const fitting = overloads.find((overload) => {
      return overload.args.every((type, index) => hasRuntimeType(args[index] ?? null, type));
    });
    if (fitting !== undefined) return fitting.run(...args);
    return new CelError(`no such overload: ${name}(${args.map(runtimeTypeName).join(', ')})`);
  };
}

/** A function that takes any list, also one whose elements are not of the declared type. */
function unguarded(name: string, overloads: readonly Overload[]): Run {
  return (...args) => {
    const [list] = args;
    const overload = overloads.find((one) => one.args.length === args.length);
    if (list instanceof CelList && overload !== undefined) return overload.run(...args);
    return new CelError(`no such overload: ${runtimeTypeName(list ?? null)}.${name}()`);
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

/** A call with a constant pattern, which is compiled once. */
function withPattern({ name, plans }: PlannedCall): Run | undefined {
  const pattern = plans[1]?.constant;
  if (!MATCHING.includes(name) || typeof pattern !== 'string') return undefined;
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) throw new PlanError(compiled.message);
  return (text, _pattern, limit) => (typeof text === 'string' ? match(compiled, name, { text, limit }) : NO_OVERLOAD);
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

/** `x in [constants]`, which costs nothing and takes no longer if the list is long. */
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
      return found instanceof CelError ? found : list.contains(found);
    },
  };
}
