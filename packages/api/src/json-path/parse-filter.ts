import { closingBracket, closingQuote } from './brackets.js';
import { invalidPath, parseSteps } from './parse.js';
import type { FilterOperand, FilterOperator, FilterTest } from './steps.js';

const OPERATORS: readonly FilterOperator[] = ['==', '!=', '<=', '>=', '<', '>'];

/** Reads what is between `?(` and `)`. Throws INVALID_JSON_PATH. */
export function parseFilter(text: string): FilterTest {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") at = closingQuote(text, at);
    else if (char === '[') at = closingBracket(text, at);
    else {
      const operator = OPERATORS.find((candidate) => text.startsWith(candidate, at));
      if (operator === undefined) continue;
      const right = operand(text.slice(at + operator.length).trim(), text);
      return { left: operand(text.slice(0, at).trim(), text), comparison: { operator, right } };
    }
  }
  return { left: operand(text.trim(), text) };
}

function operand(text: string, filter: string): FilterOperand {
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted !== null) return { kind: 'literal', value: (quoted[2] ?? '').replace(/\\(.)/gs, '$1') };
  if (/^[-+]?[0-9]+(\.[0-9]+)?$/.test(text)) return { kind: 'literal', value: Number(text) };
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
  if (text === '') throw invalidPath(filter, 'a filter needs a value on both sides');
  const root = text.startsWith('$');
  const rest = root || text.startsWith('@') ? text.slice(1) : text;
  return { kind: 'path', from: root ? 'root' : 'item', steps: parseSteps(rest) };
}
