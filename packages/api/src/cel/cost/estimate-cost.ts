import type { CelType } from '../values/cel-type.js';
import { withinOptional } from '../values/cel-type.js';
import type { CheckedExpression } from '../check/check.js';
import { type CostRange, exactly, MOST, productOf, sumOf, UNKNOWN_SIZE, unionOf } from './cost-range.js';
import type { DeclaredType } from '../check/declared-type.js';
import { estimateCall, type EstimatedNode } from './estimate-call.js';
import { ACCUMULATOR, type Call, type Comprehension, type Expression, type Select } from '../syntax/expression.js';
import { textLength } from '../library/standard-functions.js';

/** Returns the minimum and the maximum cost of an expression over all values of self and oldSelf that the declared type allows. */
export function estimateCost(checked: CheckedExpression, root: DeclaredType): CostRange {
  return new Estimation(checked, root).cost(checked.expression);
}

const NONE = exactly(0);
const ONE = exactly(1);
const LIST = exactly(10);
const MAP = exactly(30);

/** The sizes of the entries of a list or a map. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: CostRange;
  readonly value: CostRange;
}

interface Local {
  readonly path: readonly string[] | undefined;
  readonly size: CostRange | undefined;
  readonly entries: EntrySize | undefined;
}

class Estimation {
  readonly #checked: CheckedExpression;
  readonly #root: DeclaredType;
  readonly #paths = new Map<Expression, readonly string[]>();
  readonly #sizes = new Map<Expression, CostRange>();
  readonly #entries = new Map<Expression, EntrySize>();
  readonly #locals: (readonly [string, Local])[] = [];

  constructor(checked: CheckedExpression, root: DeclaredType) {
    this.#checked = checked;
    this.#root = root;
  }

  cost(expression: Expression): CostRange {
    switch (expression.kind) {
      case 'literal':
      case 'struct':
        return NONE;
      case 'ident':
        this.#paths.set(expression, this.#local(expression.name)?.path ?? this.#identPath(expression.name));
        return ONE;
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression, expression.elements);
      case 'map':
        return this.#map(expression, expression.entries);
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#comprehension(expression);
    }
  }

  #identPath(name: string): readonly string[] {
    return this.#local(name) === undefined ? [name] : [];
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast(([known]) => known === name)?.[1];
  }

  #type(expression: Expression): CelType | undefined {
    return this.#checked.types.get(expression);
  }

  #path(expression: Expression): readonly string[] | undefined {
    if (expression.kind === 'ident') {
      const local = this.#local(expression.name);
      if (local !== undefined) return local.path;
    }
    return this.#paths.get(expression);
  }

  #select(select: Select): CostRange {
    const name = this.#checked.names.get(select);
    if (name !== undefined) {
      this.#paths.set(select, [name]);
      return ONE;
    }
    const operand = this.cost(select.operand);
    if (select.test) return operand;
    const kind = this.#type(select.operand)?.kind;
    this.#paths.set(select, [...(this.#path(select.operand) ?? []), select.field]);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? sumOf(operand, ONE) : operand;
  }

  #call(call: Call): CostRange {
    const [first] = call.args;
    if (call.name === 'dyn' && first !== undefined) {
      const cost = sumOf(ONE, this.cost(first));
      this.#copySizes(call, first);
      return cost;
    }
    const name = this.#checked.names.get(call) ?? call.name;
    const args = call.args.map((argument) => ({ cost: this.cost(argument), node: this.#node(argument) }));
    const target = name === call.name ? call.target : undefined;
    const own = target === undefined ? NONE : this.cost(target);
    const argCosts = args.map(({ cost }) => cost);
    const subject = {
      name,
      target: target === undefined ? undefined : this.#node(target),
      args: args.map(({ node }) => node),
      argCosts,
    };
    let cost: CostRange = { min: MOST, max: 0 };
    let result: CostRange | undefined;
    const ids = this.#checked.overloads.get(call)?.map(({ id }) => id) ?? ['select_optional_field'];
    for (const id of ids) {
      const estimate = estimateCall(id, subject);
      cost = unionOf(cost, estimate.cost);
      this.#trackEntries(call, id);
      if (estimate.size !== undefined) result = result === undefined ? estimate.size : unionOf(result, estimate.size);
      if (first !== undefined && (id === 'index_list' || id === 'index_map')) {
        result = this.#entrySizes(first)?.value;
        this.#paths.set(call, [...(this.#path(first) ?? []), id === 'index_list' ? '@items' : '@values']);
      }
      result ??= this.#size(call);
    }
    if (result !== undefined) this.#sizes.set(call, result);
    return sumOf(own, cost);
  }

  /** Records the entry sizes of a result that is one of two arguments (`?:`) or the concatenation of two arguments (`+`). */
  #trackEntries(call: Call, id: string): void {
    const joined = id === 'conditional' ? call.args.slice(1) : /^add_(string|bytes|list)$/.test(id) ? call.args : [];
    const [a, b] = joined.map((argument) => this.#entrySizes(argument));
    if (a === undefined || b === undefined) return;
    this.#entries.set(call, { container: a.container, key: unionOf(a.key, b.key), value: unionOf(a.value, b.value) });
  }

  #node(expression: Expression): EstimatedNode {
    const path = this.#path(expression);
    return {
      expression,
      type: this.#type(expression),
      size: this.#size(expression) ?? UNKNOWN_SIZE,
      elementSize: () =>
        this.#declaredSize(path === undefined || path[0] === ACCUMULATOR ? undefined : [...path, '@items']),
    };
  }

  #list(list: Expression, elements: readonly Expression[]): CostRange {
    let size: CostRange = { min: elements.length === 0 ? 0 : MOST, max: 0 };
    const costs = elements.map((element) => {
      const cost = this.cost(element);
      size = unionOf(size, this.#size(element) ?? UNKNOWN_SIZE);
      return cost;
    });
    this.#entries.set(list, { container: 'list', key: ONE, value: size });
    return sumOf(...costs, LIST);
  }

  #map(map: Expression, entries: readonly { readonly key: Expression; readonly value: Expression }[]): CostRange {
    const nothing: CostRange = { min: entries.length === 0 ? 0 : MOST, max: 0 };
    let [key, value] = [nothing, nothing];
    let cost = MAP;
    for (const entry of entries) {
      cost = sumOf(cost, this.cost(entry.key), this.cost(entry.value));
      key = unionOf(key, this.#size(entry.key) ?? UNKNOWN_SIZE);
      value = unionOf(value, this.#size(entry.value) ?? UNKNOWN_SIZE);
    }
    this.#entries.set(map, { container: 'map', key, value });
    return cost;
  }

  #binding(loop: Comprehension): CostRange {
    const before = sumOf(this.cost(loop.range), this.cost(loop.init));
    this.#pushValue(loop.accumulator, loop.init);
    const result = this.cost(loop.result);
    this.#locals.pop();
    this.#copySizes(loop, loop.result);
    return sumOf(before, result);
  }

  #comprehension(loop: Comprehension): CostRange {
    const before = sumOf(this.cost(loop.range), this.cost(loop.init));
    this.#pushValue(loop.accumulator, loop.init);
    this.#pushVariables(loop);
    const each = sumOf(this.cost(loop.condition), this.cost(loop.step));
    this.#locals.pop();
    if (loop.second !== undefined) this.#locals.pop();
    const result = this.cost(loop.result);
    this.#locals.pop();
    const times = this.#size(loop.range) ?? UNKNOWN_SIZE;
    const { kind } = loop.init;
    if (kind === 'literal') this.#sizes.set(loop, this.#size(loop.init) ?? ONE);
    if (kind === 'list' || kind === 'map') {
      this.#sizes.set(loop, times);
      const entries = this.#entrySizes(loop.step);
      if (entries !== undefined) this.#entries.set(loop, entries);
    }
    return sumOf(before, result, productOf(times, each));
  }

  #pushValue(name: string, value: Expression): void {
    this.#locals.push([name, { path: this.#path(value), size: this.#size(value), entries: this.#entrySizes(value) }]);
  }

  #pushVariables({ range, variable, second }: Comprehension): void {
    const entries = this.#entrySizes(range);
    const path = this.#path(range) ?? [];
    const isList = (entries?.container ?? this.#type(range)?.kind) === 'list';
    const push = (name: string, part: string, size: CostRange | undefined): void => {
      this.#locals.push([name, { path: [...path, part], size, entries: undefined }]);
    };
    if (second === undefined) {
      push(variable, isList ? '@items' : '@keys', isList ? entries?.value : entries?.key);
    } else {
      push(variable, isList ? '@indices' : '@keys', entries?.key);
      push(second, isList ? '@items' : '@values', entries?.value);
    }
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    const entries = this.#entrySizes(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #entrySizes(expression: Expression): EntrySize | undefined {
    const known = this.#entries.get(expression);
    if (known !== undefined || expression.kind !== 'ident') return known;
    return this.#local(expression.name)?.entries;
  }

  #size(expression: Expression): CostRange | undefined {
    const known = this.#sizes.get(expression) ?? literalSize(expression);
    if (known !== undefined) return known;
    const declared = this.#declaredSize(this.#path(expression));
    if (declared !== undefined) {
      this.#sizes.set(expression, declared);
      return declared;
    }
    const type = this.#type(expression);
    if (type !== undefined && isScalar(type)) return ONE;
    return expression.kind === 'ident' ? this.#local(expression.name)?.size : undefined;
  }

  /** Returns the size that the schema allows at a path, or undefined if the schema does not declare the path. */
  #declaredSize(path: readonly string[] | undefined): CostRange | undefined {
    if (path === undefined || path.length === 0) return undefined;
    let at: DeclaredType | undefined = this.#root;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') at = at.element;
      else if (step === '@keys') at = at.key;
      else at = at.fields?.get(step);
      if (at === undefined) return undefined;
    }
    return { min: 0, max: at.maxElements };
  }
}

function isBinding({ range, condition }: Comprehension): boolean {
  const empty = range.kind === 'list' && range.elements.length === 0;
  return empty && condition.kind === 'literal' && condition.value === false;
}

function literalSize(expression: Expression): CostRange | undefined {
  if (expression.kind === 'list') return exactly(expression.elements.length);
  if (expression.kind === 'map') return exactly(expression.entries.length);
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return exactly(textLength(value));
  return exactly(value instanceof Uint8Array ? value.length : 1);
}

function isScalar(type: CelType): boolean {
  if (['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind)) return true;
  const inner = withinOptional(type);
  return inner !== undefined && isScalar(inner);
}
