import { ACCUMULATOR, type Call, type Expression } from './expression.js';

/** The expansion of a macro call, or the error in the call. */
export type Expansion = { readonly expression: Expression } | { readonly error: string; readonly at: number };

/** A call in the source that is possibly a macro. */
export interface MacroCall {
  readonly at: number;
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** Expands a call if it is a CEL macro. Returns undefined if the call is not a macro. */
export function expandMacro(call: MacroCall): Expansion | undefined {
  const { name, target, args } = call;
  if (target === undefined) return name === 'has' && args.length === 1 ? expandHas(call) : undefined;
  const make = new Maker(call.at);
  const [first, second, third, fourth] = args;
  if (first === undefined || second === undefined) return undefined;
  if (args.length === 2) return expandOneVariable({ name, target, make }, [first, second]);
  if (third === undefined || args.length > 4) return undefined;
  if (args.length === 3 && name === 'map')
    return map({ target, make }, { variable: first, filter: second, value: third });
  const filter = fourth === undefined ? undefined : third;
  return expandTwoVariables({ name, target, make }, { first, second, filter, value: fourth ?? third });
}

/** Creates the subexpressions of an expansion, all with the position of the call. */
class Maker {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  literal(value: boolean | bigint): Expression {
    return { kind: 'literal', at: this.at, value };
  }

  ident(name: string = ACCUMULATOR): Expression {
    return { kind: 'ident', at: this.at, name };
  }

  call(name: string, ...args: readonly Expression[]): Call {
    return { kind: 'call', at: this.at, name, target: undefined, args };
  }

  method(target: Expression, name: string, ...args: readonly Expression[]): Call {
    return { kind: 'call', at: this.at, name, target, args };
  }

  list(...elements: readonly Expression[]): Expression {
    return { kind: 'list', at: this.at, elements, optional: elements.map(() => false) };
  }

  map(): Expression {
    return { kind: 'map', at: this.at, entries: [] };
  }

  loop(loop: Loop): Expression {
    return {
      kind: 'comprehension',
      at: this.at,
      accumulator: ACCUMULATOR,
      second: undefined,
      result: this.ident(),
      ...loop,
    };
  }

  /** Returns an expression that binds a variable to a value while the result is evaluated. */
  bind(variable: string, value: Expression, result: Expression): Expression {
    return {
      kind: 'comprehension',
      at: this.at,
      range: this.list(),
      variable: '#unused',
      second: undefined,
      accumulator: variable,
      init: value,
      condition: this.literal(false),
      step: this.ident(variable),
      result,
    };
  }
}

interface Loop {
  readonly range: Expression;
  readonly variable: string;
  readonly second?: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result?: Expression;
}

function expandHas({ at, args }: MacroCall): Expansion {
  const [argument] = args;
  if (argument?.kind !== 'select') return { error: 'invalid argument to has() macro', at: argument?.at ?? at };
  return { expression: { ...argument, at, test: true } };
}

interface Target {
  readonly target: Expression;
  readonly make: Maker;
}

function expandOneVariable(
  { name, target, make }: Target & { readonly name: string },
  [variable, body]: readonly [Expression, Expression],
): Expansion | undefined {
  switch (name) {
    case 'all':
    case 'exists':
    case 'exists_one': {
      const checked = simpleName(variable, 'argument must be a simple name');
      if (typeof checked !== 'string') return checked;
      return { expression: make.loop({ range: target, variable: checked, ...quantifier(name, make, body) }) };
    }
    case 'map':
      return map({ target, make }, { variable, value: body });
    case 'filter':
      return map({ target, make }, { variable, filter: body, value: variable });
    case 'optMap':
    case 'optFlatMap':
      return optional({ name, target, make }, variable, body);
    case 'sortBy':
      return sortBy({ target, make }, variable, body);
    default:
      return undefined;
  }
}

function simpleName(variable: Expression, error: string): string | Expansion {
  if (variable.kind !== 'ident') return { error, at: variable.at };
  if (variable.name === ACCUMULATOR) {
    return { error: 'iteration variable overwrites accumulator variable', at: variable.at };
  }
  return variable.name;
}

function quantifier(name: string, make: Maker, test: Expression): Omit<Loop, 'range' | 'variable'> {
  const accumulator = make.ident();
  if (name === 'all') {
    return {
      init: make.literal(true),
      condition: make.call('@not_strictly_false', accumulator),
      step: make.call('_&&_', make.ident(), test),
    };
  }
  if (name === 'exists') {
    return {
      init: make.literal(false),
      condition: make.call('@not_strictly_false', make.call('!_', accumulator)),
      step: make.call('_||_', make.ident(), test),
    };
  }
  const counted = make.call('_+_', make.ident(), make.literal(1n));
  return {
    init: make.literal(0n),
    condition: make.literal(true),
    step: make.call('_?_:_', test, counted, make.ident()),
    result: make.call('_==_', accumulator, make.literal(1n)),
  };
}

interface Mapping {
  readonly variable: Expression;
  readonly filter?: Expression;
  readonly value: Expression;
}

function map({ target, make }: Target, { variable, filter, value }: Mapping): Expansion {
  const name = simpleName(variable, 'argument is not an identifier');
  if (typeof name !== 'string') return name;
  const step = make.call('_+_', make.ident(), make.list(value));
  return {
    expression: make.loop({
      range: target,
      variable: name,
      init: make.list(),
      condition: make.literal(true),
      step: filter === undefined ? step : make.call('_?_:_', filter, step, make.ident()),
    }),
  };
}

function optional(
  { name, target, make }: Target & { readonly name: string },
  variable: Expression,
  body: Expression,
): Expansion {
  if (variable.kind !== 'ident')
    return { error: `${name}() variable name must be a simple identifier`, at: variable.at };
  const bound = make.bind(variable.name, make.method(target, 'value'), body);
  const present = name === 'optMap' ? make.call('optional.of', bound) : bound;
  return { expression: make.call('_?_:_', make.method(target, 'hasValue'), present, make.call('optional.none')) };
}

function sortBy({ target, make }: Target, variable: Expression, key: Expression): Expansion {
  if (!['list', 'select', 'ident', 'comprehension', 'call'].includes(target.kind)) {
    const error = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    return { error, at: target.at };
  }
  const input = '@__sortBy_input__';
  const keys = map({ target: make.ident(input), make }, { variable, value: key });
  if ('error' in keys) return keys;
  const sorted = make.method(make.ident(input), '@sortByAssociatedKeys', keys.expression);
  return { expression: make.bind(input, target, sorted) };
}

interface Transform {
  readonly first: Expression;
  readonly second: Expression;
  readonly filter: Expression | undefined;
  readonly value: Expression;
}

const TRANSFORMS = ['transformList', 'transformMap', 'transformMapEntry'];

function expandTwoVariables(
  { name, target, make }: Target & { readonly name: string },
  { first, second, filter, value }: Transform,
): Expansion | undefined {
  const isQuantifier = ['all', 'exists', 'existsOne', 'exists_one'].includes(name) && filter === undefined;
  if (!isQuantifier && !TRANSFORMS.includes(name)) return undefined;
  for (const variable of [first, second]) {
    const checked = simpleName(variable, 'argument must be a simple name');
    if (typeof checked !== 'string') return checked;
  }
  if (first.kind !== 'ident' || second.kind !== 'ident') return undefined;
  if (first.name === second.name) {
    return { error: `duplicate variable name: ${first.name}`, at: second.at };
  }
  const variables = { range: target, variable: first.name, second: second.name };
  if (isQuantifier) return { expression: make.loop({ ...variables, ...quantifier(name, make, value) }) };
  const step = transformStep(name, make, { key: first.name, value });
  return {
    expression: make.loop({
      ...variables,
      init: name === 'transformList' ? make.list() : make.map(),
      condition: make.literal(true),
      step: filter === undefined ? step : make.call('_?_:_', filter, step, make.ident()),
    }),
  };
}

function transformStep(
  name: string,
  make: Maker,
  { key, value }: { readonly key: string; readonly value: Expression },
): Call {
  if (name === 'transformList') return make.call('_+_', make.ident(), make.list(value));
  if (name === 'transformMapEntry') return make.call('cel.@mapInsert', make.ident(), value);
  return make.call('cel.@mapInsert', make.ident(), make.ident(key), value);
}
