import { KubewrightError } from '../errors/kubewright-error.js';
import { descend, field, filter, item, type Step, slice, union, wildcard } from './steps.js';

type Operand = (item: unknown) => unknown;

const NAME_END = new Set(['.', '[', ']', ' ', '(', ')', '=', '!', '<', '>', ',', '}', undefined]);
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>', '&&', '||'] as const;
type Operator = (typeof OPERATORS)[number];

/** Parses a path from left to right. */
export class PathReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  }

  read(): readonly Step[] {
    if (this.#text === '') this.#fail('is empty');
    this.#take('$');
    const steps = this.#steps();
    if (this.#at < this.#text.length) this.#fail('has an unexpected character');
    return steps;
  }

  #steps(): readonly Step[] {
    const steps: Step[] = [];
    for (;;) {
      if (this.#take('..')) {
        steps.push(descend);
        if (!this.#sees('[')) steps.push(this.#name());
      } else if (this.#take('.')) {
        if (!NAME_END.has(this.#next()) || this.#sees('\\')) steps.push(this.#name());
      } else if (this.#take('[')) steps.push(this.#brackets());
      else return steps;
    }
  }

  #name(): Step {
    if (this.#take('*')) return wildcard;
    let name = '';
    for (; !NAME_END.has(this.#next()); this.#at++) {
      if (this.#sees('\\')) this.#at++;
      name += this.#next() ?? '';
    }
    if (name === '') this.#fail('does not have a field name');
    return field(name);
  }

  #brackets(): Step {
    if (this.#take('?(')) {
      const accepts = this.#condition();
      this.#need(')');
      this.#need(']');
      return filter((each) => accepts(each) === true);
    }
    const choices: Step[] = [];
    do {
      choices.push(this.#choice());
    } while (this.#take(','));
    this.#need(']');
    return choices.length === 1 && choices[0] ? choices[0] : union(choices);
  }

  #choice(): Step {
    this.#skipSpaces();
    if (this.#take('*')) return wildcard;
    if (this.#sees("'") || this.#sees('"')) return field(this.#quoted());
    const range = [this.#integer()];
    while (this.#take(':')) range.push(this.#integer());
    const [start, end, step = 1] = range;
    if (range.length > 1)
      return slice(start, end, step > 0 ? step : this.#fail('has a slice with a step that is not positive'));
    return item(start ?? this.#fail('has brackets without an index, a name or *'));
  }

  /** Parses comparisons joined by && and ||. && has the higher precedence. */
  #condition(): Operand {
    const alternatives = [this.#conjunction()];
    while (this.#takeOperator('||')) alternatives.push(this.#conjunction());
    return (each) => alternatives.some((accepts) => accepts(each) === true);
  }
  #conjunction(): Operand {
    const parts = [this.#comparison()];
    while (this.#takeOperator('&&')) parts.push(this.#comparison());
    return (each) => parts.every((accepts) => accepts(each) === true);
  }
  #comparison(): Operand {
    const left = this.#operand();
    const operator = OPERATORS.slice(0, 6).find((each) => this.#takeOperator(each));
    if (operator === undefined) return (each) => left(each) !== undefined;
    const right = this.#operand();
    return (each) => compare(left(each), operator, right(each));
  }

  #operand(): Operand {
    this.#skipSpaces();
    if (this.#take('@')) {
      const steps = this.#steps();
      return (each) => steps.reduce<readonly unknown[]>((values, step) => step(values), [each])[0];
    }
    if (this.#sees("'") || this.#sees('"')) {
      const text = this.#quoted();
      return () => text;
    }
    const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?)/.exec(this.#text.slice(this.#at))?.[0];
    if (literal === undefined)
      this.#fail('has a filter with an operand that is not @, a string, a number, true, false or null');
    this.#at += literal.length;
    const value: unknown = JSON.parse(literal);
    return () => value;
  }

  #quoted(): string {
    const quote = this.#next();
    let text = '';
    for (this.#at++; this.#next() !== quote; this.#at++) {
      if (this.#sees('\\')) this.#at++;
      text += this.#next() ?? this.#fail(`has a string without a closing ${quote}`);
    }
    this.#at++;
    return text;
  }

  #integer(): number | undefined {
    this.#skipSpaces();
    const digits = /^-?\d+/.exec(this.#text.slice(this.#at))?.[0];
    if (digits === undefined) return undefined;
    this.#at += digits.length;
    return Number(digits);
  }

  #next(): string | undefined {
    return this.#text[this.#at];
  }
  #sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }
  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at += text.length;
    return true;
  }
  #takeOperator(operator: Operator): boolean {
    this.#skipSpaces();
    return this.#take(operator);
  }
  #need(text: string): void {
    this.#skipSpaces();
    if (!this.#take(text)) this.#fail(`lacks '${text}'`);
  }
  #skipSpaces(): void {
    while (this.#sees(' ')) this.#at++;
  }
  #fail(problem: string): never {
    throw new KubewrightError('INVALID_JSON_PATH', `the path '${this.#text}' ${problem}, at character ${this.#at + 1}`);
  }
}

function compare(left: unknown, operator: Operator, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const order = left < (right as typeof left) ? -1 : left > (right as typeof left) ? 1 : 0;
  return operator === '<' ? order < 0 : operator === '>' ? order > 0 : operator === '<=' ? order <= 0 : order >= 0;
}
