import type { ArrayExpression, Expression, LogicalExpression, Node, TemplateLiteral } from 'oxc-parser';
import { addition, arithmetic } from './arithmetic.js';
import { comparison, isComparison } from './comparison.js';
import { and, type Condition, FALSE, isFalse, isTrue, not, or, remaining, TRUE } from './condition.js';
import { goPatternOf } from './go-pattern-of.js';
import { member } from './cel-text.js';
import { element, property } from './member-access.js';
import { methodResult } from './method-result.js';
import { NotTranslatable } from './not-translatable.js';
import { type Place, propertyName, type Translator } from './scope.js';
import { constant, literal, type Primitive } from './static-value.js';
import { booleanValue, choice, ternary, type Translated, truthOf, value, type Value } from './translated.js';

/** The result of a member of an optional chain, and the condition under which JavaScript evaluates the next members. */
interface ChainLink {
  readonly result: Translated;
  readonly evaluated: Condition;
}

/**
 * Translates TypeScript expressions to CEL. For all objects that match the schema of the kind, a CEL expression has the same value as the
 * TypeScript expression. If CEL cannot express the value, all methods throw `NotTranslatable`.
 */
export class ExpressionTranslation implements Translator {
  readonly #constants: (name: string) => Translated | undefined;

  /** @param constants returns the value of a constant of the module, or undefined for other names */
  constructor(constants: (name: string) => Translated | undefined) {
    this.#constants = constants;
  }

  /** Returns the condition under which JavaScript treats the value of an expression as true, for example in an `if` statement. */
  truth(node: Expression, place: Place): Condition {
    return truthOf(this.translate(node, place), place.path);
  }

  /** Translates an expression. */
  translate(node: Expression, place: Place): Translated {
    // JavaScript never evaluates the expression, for example because the old object is always undefined.
    if (isFalse(place.path)) return constant(undefined);
    switch (node.type) {
      case 'Literal':
        return literalOf(node);
      case 'TemplateLiteral':
        return this.#template(node, place);
      case 'Identifier':
        return this.#name(node.name, place);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
      case 'TSNonNullExpression':
        return this.translate(node.expression, place);
      case 'ArrayExpression':
        return this.#list(node, place);
      case 'NewExpression':
        return this.#set(node, place);
      case 'ChainExpression':
        return this.#chain(node.expression, place).result;
      case 'MemberExpression':
      case 'CallExpression':
        return this.#chain(node, place).result;
      default:
        return this.#operation(node, place);
    }
  }

  /** Returns the property of a value. Throws `NotTranslatable` if the value can be undefined. */
  property(of: Translated, name: string, path: Condition): Translated {
    if (!isTrue(remaining(definedOf(of), path))) throw new NotTranslatable(`${name} of a value that can be undefined`);
    return property(of, name);
  }

  /** Returns the value, or the fallback if the value is undefined. */
  orDefault(of: Translated, fallback: Expression, place: Place): Translated {
    if (of.kind === 'constant')
      return of.value === undefined || of.value === null ? this.translate(fallback, place) : of;
    if (of.kind !== 'value') throw new NotTranslatable('a default of this value');
    const defined = remaining(of.defined, place.path);
    if (isTrue(defined)) return of;
    const own = { ...of, defined: TRUE };
    const empty = emptyText(fallback, own);
    if (empty !== undefined) {
      return value(ternary(defined, own.text, member(empty)), own.shape);
    }
    const other = this.translate(fallback, { ...place, path: and(place.path, not(defined)) });
    return choice(defined, own, valueLike(other, own));
  }

  #operation(node: Expression, place: Place): Translated {
    switch (node.type) {
      case 'LogicalExpression':
        return node.operator === '??'
          ? this.orDefault(this.translate(node.left, place), node.right, place)
          : this.#logical(node, place);
      case 'ConditionalExpression':
        return this.#conditional(node, place);
      case 'UnaryExpression': {
        if (node.operator === '!') return condition(not(this.truth(node.argument, place)), true);
        const of = this.translate(node.argument, place);
        if (node.operator === '-' && of.kind === 'constant' && typeof of.value === 'number') return constant(-of.value);
        break;
      }
      case 'BinaryExpression': {
        if (node.left.type === 'PrivateIdentifier') break;
        const [left, right] = [this.translate(node.left, place), this.translate(node.right, place)];
        const operands = { left, right, path: place.path };
        if (isComparison(node.operator)) return condition(comparison(node.operator, operands), true);
        return arithmetic(node.operator, operands);
      }
    }
    throw new NotTranslatable(node.type);
  }

  #logical({ left, operator, right }: LogicalExpression, { scope, path }: Place): Translated {
    const first = this.translate(left, { scope, path });
    const truth = truthOf(first, path);
    const isAnd = operator === '&&';
    const second = this.translate(right, { scope, path: and(path, isAnd ? truth : not(truth)) });
    const secondPath = and(path, isAnd ? truth : not(truth));
    const both = isAnd ? and(truth, truthOf(second, secondPath)) : or(truth, truthOf(second, secondPath));
    return condition(both, isBoolean(first, path) && isBoolean(second, secondPath));
  }

  #conditional(node: Extract<Expression, { type: 'ConditionalExpression' }>, { scope, path }: Place): Translated {
    const test = this.truth(node.test, { scope, path });
    const [ifTrue, ifFalse] = [and(path, test), and(path, not(test))];
    const yes = this.translate(node.consequent, { scope, path: ifTrue });
    const no = this.translate(node.alternate, { scope, path: ifFalse });
    if (isTrue(test)) return yes;
    if (isFalse(test)) return no;
    if (isBoolean(yes, ifTrue) && isBoolean(no, ifFalse)) {
      return condition(or(and(test, truthOf(yes, ifTrue)), and(not(test), truthOf(no, ifFalse))), true);
    }
    const model = yes.kind === 'value' ? yes : no;
    if (model.kind !== 'value') throw new NotTranslatable('a choice of constants');
    return choice(test, valueLike(yes, model), valueLike(no, model));
  }

  #name(name: string, { scope }: Place): Translated {
    const found = scope.get(name) ?? this.#constants(name);
    if (found === 'violations') throw new NotTranslatable('a read of the violations');
    if (found !== undefined) return found;
    if (name === 'undefined') return constant(undefined);
    throw new NotTranslatable(name);
  }

  #template({ quasis, expressions }: TemplateLiteral, place: Place): Translated {
    return expressions.reduce<Translated>(
      (text, each, index) => {
        const joined = addition(text, this.translate(each, place), place.path);
        return addition(joined, constant(quasis[index + 1]?.value.cooked ?? ''), place.path);
      },
      constant(quasis[0]?.value.cooked ?? ''),
    );
  }

  #list({ elements }: ArrayExpression, place: Place): Translated {
    const values = elements.map((each): Primitive => {
      if (each === null || each.type === 'SpreadElement') throw new NotTranslatable('this array');
      const found = this.translate(each, place);
      if (found.kind !== 'constant' || found.value === null || found.value === undefined) {
        throw new NotTranslatable('an array of values');
      }
      return found.value;
    });
    return { kind: 'constants', values, isSet: false };
  }

  #set(
    { callee, arguments: [first, second] }: Extract<Expression, { type: 'NewExpression' }>,
    place: Place,
  ): Translated {
    const isSet = callee.type === 'Identifier' && callee.name === 'Set' && !place.scope.has('Set');
    if (isSet && first?.type === 'ArrayExpression' && second === undefined) {
      const list = this.#list(first, place);
      if (list.kind === 'constants') return { ...list, isSet: true };
    }
    throw new NotTranslatable('new');
  }

  #chain(node: Expression, place: Place): ChainLink {
    switch (node.type) {
      case 'TSNonNullExpression':
        return this.#chain(node.expression, place);
      case 'MemberExpression': {
        if (node.property.type === 'PrivateIdentifier') throw new NotTranslatable('a private field');
        const step = this.#step(node, place);
        if (isFalse(step.evaluated)) return step;
        return { ...step, result: this.#member(step.result, node, place) };
      }
      case 'CallExpression':
        return this.#call(node, place);
      default:
        return { result: this.translate(node, place), evaluated: TRUE };
    }
  }

  /** Returns the object of a member expression. The object is defined whenever JavaScript evaluates the next members of the chain. */
  #step(node: Extract<Expression, { type: 'MemberExpression' }>, place: Place): ChainLink {
    const { result, evaluated } = this.#chain(node.object, place);
    const defined = definedOf(result);
    if (node.optional) return skippable({ result, evaluated: and(evaluated, defined) });
    if (isFalse(evaluated)) return skippable({ result, evaluated });
    if (!isTrue(remaining(defined, and(place.path, evaluated))))
      throw new NotTranslatable('a value that can be undefined');
    return { result, evaluated };
  }

  #member(of: Translated, node: Extract<Expression, { type: 'MemberExpression' }>, place: Place): Translated {
    if (!node.computed) return property(of, propertyName(node.property));
    const key = this.translate(node.property, place);
    if (key.kind === 'constant' && typeof key.value === 'string') return property(of, key.value);
    if (key.kind === 'constant' && typeof key.value === 'number') return element(of, key.value);
    throw new NotTranslatable('a computed property');
  }

  #call(
    { callee, optional, arguments: given }: Extract<Expression, { type: 'CallExpression' }>,
    place: Place,
  ): ChainLink {
    if (optional || callee.type !== 'MemberExpression' || callee.computed) throw new NotTranslatable('a call');
    const name = propertyName(callee.property);
    const nodes = given.map((each) => {
      if (each.type === 'SpreadElement') throw new NotTranslatable('a call');
      return each;
    });
    if (isObjectKeys(callee.object, name, place)) return { result: this.#keys(nodes, place), evaluated: TRUE };
    const step = this.#step(callee, place);
    if (isFalse(step.evaluated)) return step;
    const inner = { ...place, path: and(place.path, step.evaluated) };
    const result = methodResult(step.result, name, { nodes, place: inner, translation: this });
    return { ...step, result: unlessSkipped(result, remaining(step.evaluated, place.path)) };
  }

  #keys([first, second]: readonly Expression[], place: Place): Translated {
    const of = first === undefined ? undefined : this.translate(first, place);
    if (of?.kind !== 'value' || of.shape.type !== 'map' || second !== undefined) throw new NotTranslatable('keys');
    if (!isTrue(remaining(of.defined, place.path))) throw new NotTranslatable('keys of a value that can be undefined');
    return { ...of, shape: { type: 'keys' } };
  }
}

function skippable(link: ChainLink): ChainLink {
  return isFalse(link.evaluated) ? { result: constant(undefined), evaluated: FALSE } : link;
}
/** Returns the result of a call that JavaScript evaluates only if `evaluated` is true. If not, the value of the call is undefined. */
function unlessSkipped(of: Translated, evaluated: Condition): Translated {
  if (of.kind !== 'presence' || isTrue(evaluated)) return of;
  const called = and(evaluated, of.condition);
  return of.absent === null ? condition(called, false) : { ...of, condition: called };
}
function definedOf(of: Translated): Condition {
  if (of.kind === 'value' || of.kind === 'members') return of.defined;
  if (of.kind === 'constant' && (of.value === undefined || of.value === null)) return FALSE;
  return of.kind === 'presence' ? of.condition : TRUE;
}
function condition(of: Condition, isStrict: boolean): Translated {
  return { kind: 'condition', condition: of, isBoolean: isStrict };
}
function isBoolean(of: Translated, path: Condition): boolean {
  if (of.kind === 'condition') return of.isBoolean;
  if (of.kind === 'constant') return typeof of.value === 'boolean';
  return of.kind === 'value' && of.shape.type === 'boolean' && isTrue(remaining(of.defined, path));
}
/** Returns a constant or a logical expression as a value of the same type as another value. */
function valueLike(of: Translated, model: Value): Value {
  if (of.kind === 'value') return of;
  if (of.kind === 'condition' && of.isBoolean) return booleanValue(of.condition);
  if (of.kind === 'constant' && of.value === undefined) return { ...model, defined: FALSE };
  if (of.kind !== 'constant' || of.value === null || of.value === undefined) throw new NotTranslatable('a choice');
  return value(literal(of.value, model.shape), model.shape);
}
function emptyText(node: Expression, { shape }: Value): string | undefined {
  if (node.type === 'ArrayExpression' && node.elements.length === 0 && shape.type === 'list') return '[]';
  return node.type === 'ObjectExpression' && node.properties.length === 0 && shape.type === 'map' ? '{}' : undefined;
}
function literalOf(node: Extract<Node, { type: 'Literal' }>): Translated {
  if ('regex' in node) return { kind: 'pattern', pattern: goPatternOf(node.regex.pattern, node.regex.flags) };
  if (typeof node.value === 'bigint') throw new NotTranslatable('a bigint');
  return constant(node.value);
}
function isObjectKeys(of: Expression, name: string, { scope }: Place): boolean {
  return of.type === 'Identifier' && of.name === 'Object' && name === 'keys' && !scope.has('Object');
}
