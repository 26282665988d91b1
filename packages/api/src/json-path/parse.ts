import { KubewrightError } from '../errors/kubewright-error.js';
import { closingBracket, splitOutsideQuotes } from './brackets.js';
import { parseFilter } from './parse-filter.js';
import type { PathStep } from './steps.js';

/** Reads the steps of a path, the leading `$` or `@` already taken. Throws INVALID_JSON_PATH. */
export function parseSteps(path: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let position = 0;
  while (position < path.length) {
    const char = path.charAt(position);
    if (char === '.') {
      if (path.charAt(position + 1) === '.') {
        steps.push({ kind: 'descend' });
        position += 2;
      } else {
        position++;
      }
      if (path.charAt(position) !== '[') position = takeName({ path, position, steps });
    } else if (char === '[') {
      const end = closingBracket(path, position);
      steps.push(bracketStep(path.slice(position + 1, end).trim(), path));
      position = end + 1;
    } else if (position === 0) {
      position = takeName({ path, position, steps });
    } else {
      throw invalidPath(path, `unexpected '${char}' at position ${position}`);
    }
  }
  return steps;
}

interface NameAt {
  readonly path: string;
  readonly position: number;
  readonly steps: PathStep[];
}

// A backslash takes the next character as it is, as in `.metadata.annotations.example\.com/owner`.
function takeName({ path, position, steps }: NameAt): number {
  let name = '';
  let at = position;
  while (at < path.length && path.charAt(at) !== '.' && path.charAt(at) !== '[') {
    if (path.charAt(at) === '\\') at++;
    name += path.charAt(at);
    at++;
  }
  if (name === '*') steps.push({ kind: 'wildcard' });
  else if (name !== '') steps.push({ kind: 'field', name: name.trim() });
  else if (at < path.length || steps.at(-1)?.kind === 'descend') {
    throw invalidPath(path, `a name is missing at position ${position}`);
  }
  return at;
}

function bracketStep(inside: string, path: string): PathStep {
  if (inside === '*') return { kind: 'wildcard' };
  if (inside.startsWith('?(') && inside.endsWith(')')) {
    return { kind: 'filter', test: parseFilter(inside.slice(2, -1)) };
  }
  const parts = splitOutsideQuotes(inside, ',').map((part) => part.trim());
  if (parts.length > 1) return { kind: 'union', steps: parts.map((part) => bracketStep(part, path)) };
  const quoted = /^(['"])(.*)\1$/s.exec(inside);
  if (quoted !== null) return { kind: 'field', name: (quoted[2] ?? '').replace(/\\(.)/gs, '$1') };
  if (/^-?[0-9]+$/.test(inside)) return { kind: 'index', index: Number(inside) };
  const slice = /^(-?[0-9]*):(-?[0-9]*)(?::(-?[0-9]*))?$/.exec(inside);
  if (slice === null) throw invalidPath(path, `invalid array index ${inside}`);
  return sliceStep(slice.slice(1), path);
}

function sliceStep([from = '', to = '', every = '']: readonly (string | undefined)[], path: string): PathStep {
  const step = every === '' ? 1 : Number(every);
  if (!(step > 0)) throw invalidPath(path, 'the step of a slice must be > 0');
  return {
    kind: 'slice',
    ...(from !== '' && { from: Number(from) }),
    ...(to !== '' && { to: Number(to) }),
    every: step,
  };
}

/** The error of a path that cannot be read. */
export function invalidPath(path: string, why: string): KubewrightError {
  return new KubewrightError('INVALID_JSON_PATH', `read the JSONPath '${path}': ${why}`);
}
