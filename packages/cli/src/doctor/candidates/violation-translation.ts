import type { Expression, Function as Method, ObjectExpression, Statement, VariableDeclaration } from 'oxc-parser';
import { and, type Condition, FALSE, isFalse, isTrue, not, or, remaining } from './condition.js';
import { itemsOf } from './items.js';
import type { ExpressionTranslation } from './expression-translation.js';
import { NotTranslatable } from './not-translatable.js';
import { bind, patternOf, type Place, propertyName, type Scope } from './scope.js';
import type { Translated } from './translated.js';

/** A violation that a validator can return. */
export interface TranslatedViolation {
  /** The condition under which the validator returns the violation. */
  readonly condition: Condition;
  readonly field: string;
  readonly message: string;
  /** The reason. Undefined for the default reason. */
  readonly reason: string | undefined;
}

/** The method of a validator, the values of its parameters, and the translation of its expressions. */
export interface ValidatorMethod {
  readonly method: Method;
  readonly parameters: readonly Translated[];
  readonly translation: ExpressionTranslation;
  readonly path: Condition;
}

/**
 * Returns the violations that a method can return, each with its condition. The method can declare constants, push violations into one
 * list, branch, iterate over lists, and return violations.
 * @throws NotTranslatable for other methods
 */
export function violationsOf({
  method,
  parameters,
  translation,
  path,
}: ValidatorMethod): readonly TranslatedViolation[] {
  const { body, params, generator } = method;
  if (body === null || generator || params.length > parameters.length) throw new NotTranslatable('this method');
  const scope: Scope = new Map();
  for (const [index, parameter] of params.entries()) {
    const to = parameters[index];
    if (to !== undefined) bind(patternOf(parameter), to, { binder: translation, place: { scope, path } });
  }
  const statements = new StatementTranslation(translation);
  const end = statements.block(body.body, { scope, path });
  if (!isFalse(end)) throw new NotTranslatable('a method without a result');
  return statements.violations;
}

class StatementTranslation {
  readonly violations: TranslatedViolation[] = [];
  readonly #translation: ExpressionTranslation;
  #loops = 0;
  /** Whether the method has declared a list of violations. */
  #isDeclared = false;
  /** Whether the method has pushed violations into the list. */
  #isPushed = false;

  constructor(translation: ExpressionTranslation) {
    this.#translation = translation;
  }

  /** Translates statements. Returns the condition under which JavaScript reaches the end of the block. */
  block(statements: readonly Statement[], { scope, path }: Place): Condition {
    let reached = path;
    for (const statement of statements) {
      if (isFalse(reached)) return FALSE;
      reached = this.#statement(statement, { scope, path: reached });
    }
    return reached;
  }

  #statement(statement: Statement, place: Place): Condition {
    switch (statement.type) {
      case 'EmptyStatement':
        return place.path;
      case 'BlockStatement':
        return this.block(statement.body, { ...place, scope: new Map(place.scope) });
      case 'VariableDeclaration':
        this.#declare(statement, place);
        return place.path;
      case 'IfStatement':
        return this.#branch(statement, place);
      case 'ForOfStatement':
        this.#loop(statement, place);
        return place.path;
      case 'ExpressionStatement':
        this.#push(statement.expression, place);
        return place.path;
      case 'ContinueStatement':
        if (statement.label !== null || this.#loops === 0) break;
        return FALSE;
      case 'ReturnStatement':
        if (statement.argument === null || this.#loops > 0) break;
        if (this.#isPushed && !includesList(statement.argument, place)) throw new NotTranslatable('a dropped list');
        this.#list(statement.argument, place);
        return FALSE;
    }
    throw new NotTranslatable(statement.type);
  }

  #declare({ kind, declarations }: VariableDeclaration, place: Place): void {
    if (kind !== 'const') throw new NotTranslatable(kind);
    for (const { id, init } of declarations) {
      if (init === null) throw new NotTranslatable('this declaration');
      const isList = init.type === 'ArrayExpression' && init.elements.length === 0;
      if (isList && id.type === 'Identifier') this.#declareList(id.name, place);
      else bind(id, this.#translation.translate(init, place), { binder: this.#translation, place });
    }
  }

  #declareList(name: string, { scope }: Place): void {
    if (this.#isDeclared) throw new NotTranslatable('a second list of violations');
    this.#isDeclared = true;
    scope.set(name, 'violations');
  }

  #branch({ test, consequent, alternate }: Extract<Statement, { type: 'IfStatement' }>, place: Place): Condition {
    const truth = this.#translation.truth(test, place);
    const [yes, no] = [and(place.path, truth), and(place.path, not(truth))];
    const scoped = (path: Condition): Place => ({ scope: new Map(place.scope), path });
    const afterYes = isFalse(yes) ? FALSE : this.block([consequent], scoped(yes));
    const afterNo = alternate === null || isFalse(no) ? no : this.block([alternate], scoped(no));
    if (afterYes === yes && afterNo === no) return place.path;
    if (isFalse(afterYes)) return afterNo;
    return isFalse(afterNo) ? afterYes : or(afterYes, afterNo);
  }

  /** Translates a loop over a list. The validator returns a violation in the loop if the condition is true for at least one item. */
  #loop({ left, right, body, await: isAsync }: Extract<Statement, { type: 'ForOfStatement' }>, place: Place): void {
    const [declared, second] = left.type === 'VariableDeclaration' && left.kind === 'const' ? left.declarations : [];
    if (declared === undefined || second !== undefined || isAsync) throw new NotTranslatable('this loop');
    const list = this.#translation.translate(right, place);
    if (list.kind !== 'value' || !isTrue(remaining(list.defined, place.path))) throw new NotTranslatable('this list');
    const { inner, wrap } = itemsOf(list, { pattern: declared.id, place, binder: this.#translation });
    const first = this.violations.length;
    this.#loops += 1;
    this.block([body], inner);
    this.#loops -= 1;
    for (const violation of this.violations.splice(first)) {
      const ofItem = remaining(violation.condition, place.path);
      this.violations.push({ ...violation, condition: and(place.path, wrap(ofItem)) });
    }
  }

  #push(node: Expression, place: Place): void {
    const isPush = node.type === 'CallExpression' && !node.optional && node.callee.type === 'MemberExpression';
    if (isPush && node.callee.type === 'MemberExpression' && !node.callee.computed) {
      const { object, property } = node.callee;
      const isList = object.type === 'Identifier' && place.scope.get(object.name) === 'violations';
      if (isList && propertyName(property) === 'push') {
        this.#isPushed = true;
        for (const each of node.arguments) this.#item(each, place);
        return;
      }
    }
    throw new NotTranslatable('a statement with an effect');
  }

  #list(node: Expression, place: Place): void {
    switch (node.type) {
      case 'ArrayExpression':
        for (const each of node.elements) {
          if (each === null) throw new NotTranslatable('a hole in an array');
          this.#item(each, place);
        }
        return;
      case 'ConditionalExpression': {
        const truth = this.#translation.truth(node.test, place);
        this.#list(node.consequent, { ...place, path: and(place.path, truth) });
        this.#list(node.alternate, { ...place, path: and(place.path, not(truth)) });
        return;
      }
      case 'Identifier':
        if (place.scope.get(node.name) === 'violations') return;
    }
    throw new NotTranslatable('this list of violations');
  }

  #item(node: Expression | { readonly type: 'SpreadElement'; readonly argument: Expression }, place: Place): void {
    if (node.type === 'SpreadElement') this.#list(node.argument, place);
    else if (node.type === 'ObjectExpression') this.#violation(node, place);
    else throw new NotTranslatable('this violation');
  }

  #violation({ properties }: ObjectExpression, place: Place): void {
    if (isFalse(place.path)) return;
    const texts: Record<string, string> = {};
    for (const each of properties) {
      if (each.type !== 'Property' || each.computed || each.method || each.kind !== 'init') {
        throw new NotTranslatable('this violation');
      }
      const name = propertyName(each.key);
      const translated = this.#translation.translate(each.value, place);
      // A rule cannot report the value. The translation of the value only checks that the expression cannot throw.
      if (name === 'value') continue;
      if (translated.kind !== 'constant' || typeof translated.value !== 'string') throw new NotTranslatable(name);
      texts[name] = translated.value;
    }
    const { field, message, reason } = texts;
    if (field === undefined || message === undefined) throw new NotTranslatable('this violation');
    this.violations.push({ condition: place.path, field, message, reason });
  }
}

/** Reports whether a returned expression always contains the list with the pushed violations. */
function includesList(node: Expression, place: Place): boolean {
  switch (node.type) {
    case 'Identifier':
      return place.scope.get(node.name) === 'violations';
    case 'ConditionalExpression':
      return includesList(node.consequent, place) && includesList(node.alternate, place);
    case 'ArrayExpression':
      return node.elements.some((each) => each?.type === 'SpreadElement' && includesList(each.argument, place));
    default:
      return false;
  }
}
