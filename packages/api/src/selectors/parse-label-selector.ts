import { qualifiedNameErrors } from '../names/label-names.js';
import { goQuote } from '../schema/go-text.js';
import { type LabelOperator, type LabelRequirement, requirementError } from './label-requirement.js';
import { invalidSelector, type LabelSelector, selectorOf } from './label-selector.js';
import { type LabelToken, labelTokens } from './label-tokens.js';

/**
 * Parses a label selector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, `a>1`, `a<1`, separated by commas. The empty
 * string matches every object. Throws INVALID_SELECTOR with the text of the API server.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return selectorOf(new LabelParser(labelTokens(text)).requirements());
}

class LabelParser {
  readonly #tokens: readonly LabelToken[];
  #position = 0;

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens;
  }

  requirements(): readonly LabelRequirement[] {
    const found: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') return found;
      if (!startsTerm(token)) {
        throw invalidSelector(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      found.push(this.#requirement());
      const after = this.#next();
      if (after.kind === 'end') return found;
      if (after.kind !== ',') throw invalidSelector(`found '${after.text}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (!startsTerm(following)) {
        throw invalidSelector(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().kind === '!';
    if (negated) this.#next();
    const key = this.#next();
    if (!isWord(key)) throw unreadable(`found '${key.text}', expected: identifier`);
    const wrong = qualifiedNameErrors(key.text);
    if (wrong.length > 0) throw unreadable(`<nil>: Invalid value: ${goQuote(key.text)}: ${wrong.join('; ')}`);
    const { kind } = this.#peek();
    const requirement =
      negated || kind === 'end' || kind === ','
        ? { key: key.text, operator: negated ? ('!' as const) : ('exists' as const), values: [] }
        : this.#comparison(key.text);
    const error = requirementError(requirement);
    if (error !== undefined) throw unreadable(error);
    return requirement;
  }

  #comparison(key: string): LabelRequirement {
    const token = this.#next();
    const operator = operatorOf(token);
    if (operator === undefined) {
      throw unreadable(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
    return { key, operator, values };
  }

  #exactValue(): string {
    const { kind } = this.#peek();
    if (kind === 'end' || kind === ',') return '';
    const token = this.#next();
    if (!isWord(token)) throw unreadable(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #values(): readonly string[] {
    const open = this.#next();
    if (open.kind !== '(') throw unreadable(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#next();
      return [''];
    }
    if (!isWord(first) && first.kind !== ',') {
      throw unreadable(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#valueList();
    this.#next();
    return [...values].toSorted();
  }

  // Parses up to, but not including, the closing parenthesis. A comma without an adjacent word represents the empty value.
  #valueList(): ReadonlySet<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.#next();
      if (isWord(token)) {
        values.add(token.text);
        const after = this.#peek();
        if (after.kind === ')') return values;
        if (after.kind !== ',') throw unreadable(`found '${after.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        const after = this.#peek();
        if (values.size === 0 || after.kind === ')' || after.kind === ',') values.add('');
        if (after.kind === ')') return values;
      } else {
        throw unreadable(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  #peek(): LabelToken {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }
  #next(): LabelToken {
    const token = this.#peek();
    this.#position++;
    return token;
  }
}

// `in` and `notin` are words at positions where an operator is not expected.
function isWord(token: LabelToken): boolean {
  return token.kind === 'word' || token.kind === 'in' || token.kind === 'notin';
}

function startsTerm(token: LabelToken): boolean {
  return isWord(token) || token.kind === '!';
}

function operatorOf({ kind }: LabelToken): LabelOperator | undefined {
  switch (kind) {
    case '>':
      return 'gt';
    case '<':
      return 'lt';
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
      return kind;
    default:
      return undefined;
  }
}

function unreadable(text: string): Error {
  return invalidSelector(`unable to parse requirement: ${text}`);
}
