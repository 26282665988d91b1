import type { FieldError } from '../schema/field-error.js';
import { ruleText } from '../schema/rule-text.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { DeclaredPlace } from './declared-place.js';
import { type Bound, missingBounds } from './missing-bounds.js';
import { schemaAt, type SchemaPath, schemaPath, type SchemaStep } from './schema-path.js';

/** The place of a rule and its schema. */
export interface RulePlace {
  readonly path: SchemaPath;
  readonly schema: StructuralSchema;
  readonly place: (steps: readonly SchemaStep[]) => DeclaredPlace;
}

/** Returns the error in a rule as a sentence, or undefined for an error that does not concern a rule. */
export function ruleMistake(error: FieldError, { path, schema, place }: RulePlace): string | undefined {
  const [, index, part = ''] = /^x-kubernetes-validations\[(\d+)\]\.?(.*)$/.exec(path.rest) ?? [];
  const rule = schemaAt(schema, path.steps)?.['x-kubernetes-validations']?.[Number(index)];
  if (index === undefined || rule === undefined) return undefined;
  const what = `${part === '' || part === 'rule' ? '' : `the ${part} of `}rule '${rule.rule.trim()}' on ${place(path.steps).text}`;
  const detail = error.message.replace(`Invalid value: ${ruleText(rule)}: `, '');
  const cost = /^Forbidden: estimated \w+(?: cost)? exceeds budget by factor of (.+?) \(/.exec(error.message)?.[1];
  if (cost !== undefined) {
    const settable = (steps: readonly SchemaStep[]): boolean => place(steps).own;
    const bounds = missingBounds({ schema, steps: path.steps, index: Number(index), settable });
    return `${what} may cost ${cost} what the API server lets a rule cost; ${boundsCure(bounds, place)}`;
  }
  const within = /uncorrelatable portion of the schema within (\S+)$/.exec(detail)?.[1];
  if (within !== undefined) {
    const list = place(schemaPath(within)?.steps ?? []).text;
    return `${what} speaks of oldSelf, but nothing tells which old item an item of ${list} was; write mapKeys there, or put the rule on the list`;
  }
  const failed = /^(?:compilation|instantiation|messageExpression \w+|program \w+) failed: ([^]*)$/.exec(detail)?.[1];
  return failed === undefined ? `${what} is refused: ${detail}` : `${what} does not compile: ${issues(failed)}`;
}

/** Returns the issues of an expression on one line, each with its line and column. */
function issues(text: string): string {
  const found = [...text.matchAll(/^ERROR: <input>:(\d+):(\d+): (.*)$/gm)];
  if (found.length === 0) return text.trim();
  return found
    .map(([, line, column, issue]) => `${issue?.trim()} (at ${line === '1' ? '' : `line ${line}, `}column ${column})`)
    .join('; ');
}

function boundsCure(bounds: readonly Bound[], place: RulePlace['place']): string {
  if (bounds.length === 0) return 'no bound makes it fit: simplify it, or put it on a smaller part';
  const written = bounds.map(({ steps, keyword, value }) => `{ ${keyword}: ${value} } or less on ${place(steps).text}`);
  return `write ${written.join(' and ')}`;
}
