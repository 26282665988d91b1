import { access, isPresent, optionalAccess } from '../library/access.js';
import { callCost } from '../cost/call-cost.js';
import { CHECK_INTERVAL } from '../../schema/time-limit.js';
import { comparisonWork } from '../cost/call-work.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { CelList, CelMap, CelOptional, CelTypeValue, type CelValue } from '../values/cel-value.js';
import type { CheckedExpression } from '../check/check.js';
import type { Environment } from '../check/environment.js';
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expression,
  type Select,
  type StructLiteral,
} from '../syntax/expression.js';
import type { Evaluate, Frame, Plan } from './frame.js';
import { GrowingList } from '../values/growing.js';
import { MapValue } from '../values/map-value.js';
import { planCall } from './plan-call.js';
import { planList, planMap, planStruct } from './plan-literals.js';
import { goTypeName } from '../values/runtime-type.js';
import { equal } from '../values/value-order.js';

/** A compiled expression. */
export interface Planned {
  readonly run: Evaluate;
  /** The number of slots that a frame needs. */
  readonly slots: number;
}

/** Compiles a checked expression. The variables use the first slots, in the order of the environment. Throws PlanError. */
export function plan(checked: CheckedExpression, environment: Environment): Planned {
  const planner = new Planner(checked, environment);
  const { run } = planner.plan(checked.expression);
  return { run, slots: planner.slots };
}

const SELECT_COST = 1;

class Planner {
  readonly #checked: CheckedExpression;
  readonly #environment: Environment;
  readonly #scope: (readonly [string, number])[];
  slots: number;

  constructor(checked: CheckedExpression, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
    this.#scope = Array.from(environment.variables.keys(), (name, index) => [name, index]);
    this.slots = environment.variables.size;
  }

  plan(expression: Expression): Plan {
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value);
      case 'ident':
        return this.#name(this.#checked.names.get(expression) ?? expression.name);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list': {
        const elements = expression.elements.map((element) => this.plan(element));
        return planList(elements, expression.optional);
      }
      case 'map': {
        const entries = expression.entries.map(({ key, value, optional }) => {
          return { key: this.plan(key), value: this.plan(value), optional };
        });
        return planMap(entries);
      }
      case 'struct':
        return this.#struct(expression);
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #name(name: string): Plan {
    const slot = this.#scope.findLast(([known]) => known === name)?.[1];
    if (slot === undefined) return constant(new CelTypeValue(name));
    return {
      run: (frame) => {
        frame.charge(SELECT_COST);
        return frame.slots[slot] ?? null;
      },
    };
  }

  #select(select: Select): Plan {
    const name = this.#checked.names.get(select);
    if (name !== undefined) return this.#name(name);
    const operand = this.plan(select.operand).run;
    const { field } = select;
    if (select.test) return { run: (frame) => isPresent(operand(frame), field) };
    return {
      run: (frame) => {
        const within = operand(frame);
        frame.charge(SELECT_COST);
        return access(within, field);
      },
    };
  }

  #struct(literal: StructLiteral): Plan {
    const typeName = this.#checked.names.get(literal);
    const { constructible } = this.#environment;
    if (typeName === undefined || constructible === undefined) return constant(NO_OVERLOAD);
    const entries = literal.entries.map(({ key, value, optional }) => ({ key, value: this.plan(value), optional }));
    return planStruct(entries, (fields) => constructible.construct(typeName, fields));
  }

  #call(call: Call): Plan {
    const name = this.#checked.names.get(call) ?? call.name;
    const target = name === call.name ? call.target : undefined;
    const parts = target === undefined ? call.args : [target, ...call.args];
    const plans = parts.map((part) => this.plan(part));
    const special = planOperator(name, plans);
    if (special !== undefined) return special;
    const { isUntyped = false } = this.#environment;
    const types = parts.map((part) => (isUntyped ? undefined : this.#checked.types.get(part)));
    return planCall({ name, overloads: this.#checked.overloads.get(call) ?? [], plans, types });
  }

  #comprehension(loop: Comprehension): Plan {
    const range = this.plan(loop.range).run;
    const init = this.plan(loop.init);
    const depth = this.#scope.length;
    const accumulator = this.#declare(loop.accumulator);
    const first = this.#declare(loop.variable);
    const second = loop.second === undefined ? -1 : this.#declare(loop.second);
    const condition = this.plan(loop.condition).run;
    const step = this.plan(loop.step).run;
    this.#scope.length = depth + 1;
    const result = this.plan(loop.result).run;
    this.#scope.length = depth;
    const growing = loop.accumulator === ACCUMULATOR ? growingFrom(init.constant) : undefined;
    return {
      run: fold({
        range,
        init: growing ?? init.run,
        condition,
        step,
        result,
        accumulator,
        first,
        second,
      }),
    };
  }

  #declare(name: string): number {
    const slot = this.slots;
    this.#scope.push([name, slot]);
    this.slots += 1;
    return slot;
  }
}

function constant(value: CelValue): Plan {
  return { run: () => value, constant: value };
}

/**
 * Returns a function that creates the collection in which a macro accumulates its result. Returns undefined if the result is not a list or
 * a map.
 */
function growingFrom(init: CelValue | undefined): (() => CelValue) | undefined {
  if (init instanceof CelList) return () => new GrowingList();
  return init instanceof MapValue ? () => MapValue.growing() : undefined;
}

interface Fold {
  readonly range: Evaluate;
  readonly init: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  readonly accumulator: number;
  readonly first: number;
  readonly second: number;
}

function fold({ range, init, condition, step, result, accumulator, first, second }: Fold): Evaluate {
  return (frame) => {
    const values = range(frame);
    if (values instanceof CelError) return values;
    if (!(values instanceof CelList || values instanceof CelMap))
      return new CelError(`got '${goTypeName(values)}', expected iterable type`);
    const { slots } = frame;
    if (frame.isBrief && values instanceof CelMap) frame.announce(CHECK_INTERVAL);
    slots[accumulator] = init(frame);
    for (const [key, value] of second < 0 ? singly(values) : pairwise(values)) {
      slots[first] = key;
      if (second >= 0) slots[second] = value;
      if (condition(frame) === false) break;
      slots[accumulator] = step(frame);
    }
    const folded = result(frame);
    if (folded instanceof MapValue) folded.finish();
    return folded instanceof GrowingList ? folded.finished() : folded;
  };
}

function* singly(values: CelList | CelMap): Iterable<readonly [CelValue, CelValue]> {
  if (values instanceof CelList) for (const value of values) yield [value, value];
  else for (const key of values.keys()) yield [key, key];
}

function* pairwise(values: CelList | CelMap): Iterable<readonly [CelValue, CelValue]> {
  if (values instanceof CelList)
    for (let index = 0; index < values.size; index++) yield [BigInt(index), values.at(index)];
  else for (const key of values.keys()) yield [key, values.find(key) ?? null];
}

/**
 * Compiles the operators and functions that are not evaluated as calls: logic, equality, access to fields and elements, and `or` and
 * `orValue`. Returns undefined for all other functions.
 */
function planOperator(name: string, plans: readonly Plan[]): Plan | undefined {
  const [a, b, c] = plans.map(({ run }) => run);
  if (a === undefined) return undefined;
  if (name === '@not_strictly_false') return { run: charging((frame) => a(frame) !== false) };
  if (b === undefined) return undefined;
  const known = planConstantLogic(name, plans);
  if (known !== undefined) return known;
  switch (name) {
    case '_&&_':
      return { run: (frame) => decide(frame, { a, b, winner: false }) };
    case '_||_':
      return { run: (frame) => decide(frame, { a, b, winner: true }) };
    case '_?_:_':
      return c === undefined ? undefined : { run: (frame) => choose(a(frame), frame, [b, c]) };
    case '_==_':
    case '_!=_':
      return planEquality(name, a, b);
    case '_[_]':
    case '_[?_]':
    case '_?._':
      return planAccess(name === '_[_]' ? access : optionalAccess, a, b);
    case 'or':
    case 'orValue':
      return { run: (frame) => orElse(a(frame), frame, { name, other: b }) };
    default:
      return undefined;
  }
}

/**
 * Evaluates logical operators on constants at compile time. These operators have no cost, so they must not take time in each evaluation.
 */
function planConstantLogic(name: string, [a, b, c]: readonly Plan[]): Plan | undefined {
  const left = a?.constant;
  if (typeof left !== 'boolean') return undefined;
  if (name === '_?_:_') return left ? b : c;
  const right = b?.constant;
  if (typeof right !== 'boolean') return undefined;
  if (name === '_&&_') return constant(left && right);
  return name === '_||_' ? constant(left || right) : undefined;
}

function charging(run: Evaluate): Evaluate {
  return (frame) => {
    const value = run(frame);
    frame.charge(1);
    return value;
  };
}

/**
 * Evaluates && and ||. An operand that equals `winner` (false for &&, true for ||) determines the result, even if the other operand is an
 * error.
 */
function decide(
  frame: Frame,
  { a, b, winner }: { readonly a: Evaluate; readonly b: Evaluate; readonly winner: boolean },
): CelValue {
  const left = a(frame);
  if (left === winner) return winner;
  const right = b(frame);
  if (right === winner) return winner;
  if (typeof left !== 'boolean') return left instanceof CelError ? left : NO_OVERLOAD;
  if (typeof right !== 'boolean') return right instanceof CelError ? right : NO_OVERLOAD;
  return !winner;
}

function choose(condition: CelValue, frame: Frame, [yes, no]: readonly [Evaluate, Evaluate]): CelValue {
  if (condition === true) return yes(frame);
  if (condition === false) return no(frame);
  return condition instanceof CelError ? condition : NO_OVERLOAD;
}

function planEquality(name: '_==_' | '_!=_', a: Evaluate, b: Evaluate): Plan {
  const cost = callCost(name, name === '_==_' ? 'equals' : 'not_equals');
  const negated = name === '_!=_';
  return {
    run: (frame) => {
      const left = a(frame);
      const right = b(frame);
      if (frame.isBrief && typeof left === 'object') frame.announce(comparisonWork(left));
      frame.charge(typeof left === 'string' || typeof left === 'object' ? cost([left, right], null) : 1);
      if (left instanceof CelError) return left;
      if (right instanceof CelError) return right;
      const same = equal(left, right);
      return negated ? same !== true : same;
    },
  };
}

function planAccess(look: (operand: CelValue, key: CelValue) => CelValue, a: Evaluate, b: Evaluate): Plan {
  return {
    run: (frame) => {
      const operand = a(frame);
      const key = b(frame);
      frame.charge(SELECT_COST);
      if (operand instanceof CelError) return operand;
      return key instanceof CelError ? key : look(operand, key);
    },
  };
}

function orElse(
  first: CelValue,
  frame: Frame,
  { name, other }: { readonly name: 'or' | 'orValue'; readonly other: Evaluate },
): CelValue {
  if (!(first instanceof CelOptional)) return first;
  if (first.value === undefined) return other(frame);
  return name === 'or' ? first : first.value;
}
