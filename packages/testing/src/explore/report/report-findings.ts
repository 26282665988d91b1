import { inspect } from 'node:util';
import { kindOf } from '@kubewright/api/metadata';
import type { Finding } from '../search/finding.js';
import type { Difference } from '../state/state-differences.js';
import { describeFault } from '../trials/faults/fault.js';
import type { Trial } from '../trials/run-trial.js';
import { isImmediate, type Step } from '../trials/step.js';
import { SUBJECT } from '../trials/world.js';

/** The maximum number of differences in a report of one finding. */
const MOST_DIFFERENCES = 10;

/** Returns the report of a finding: the sentence, the history, and the differences or details. */
export function reportFinding(finding: Finding): string {
  const { kind } = kindOf(finding.trial.kind);
  const { oracle, sentence, fields, trial, differences, details, expected } = finding;
  const shown = differences.slice(0, MOST_DIFFERENCES);
  return [
    `${kind}: ${sentence} (${oracle})`,
    ...(fields.length > 0 ? [`  fields: ${fields.join(', ')}`] : []),
    '  history:',
    ...historyLines(trial).map((line) => `    ${line}`),
    ...details.map((line) => `  ${line}`),
    ...(expected === undefined
      ? []
      : [
          `  differs from: ${historyLines(expected)
            .at(-1)
            ?.replace(/^\d+\. /, '')}, in a new cluster`,
        ]),
    ...shown.map((difference) => `    ${differenceLine(difference)}`),
    ...(differences.length > shown.length ? [`    … and ${differences.length - shown.length} more differences`] : []),
  ].join('\n');
}

/** Returns the steps of a trial, one line each. */
export function historyLines({ kind, steps, faults = [] }: Trial): readonly string[] {
  const { kind: name } = kindOf(kind);
  const lines = steps.map((step, at) => stepText(step, name, steps.slice(0, at)));
  return [...lines.map((line, at) => `${at + 1}. ${line}`), ...faults.map((fault) => `fault: ${describeFault(fault)}`)];
}

function stepText(step: Step, kind: string, before: readonly Step[]): string {
  const object = `${kind} ${SUBJECT.name}`;
  const after = isImmediate(step) ? ', and continue at once' : '';
  switch (step.action) {
    case 'declare': {
      const isNew = before.findLast(({ action }) => action === 'declare' || action === 'delete')?.action !== 'declare';
      return `${isNew ? 'create' : 'change'} ${object}: spec ${text(step.spec)}${after}`;
    }
    case 'delete':
      return `delete ${object}${after}`;
    case 'stop':
      return 'stop the operator';
    case 'start':
      return 'start the operator';
    case 'restart':
      return 'restart the operator';
  }
}

function differenceLine({ object, path, actual, expected }: Difference): string {
  if (path === '') return `${object} ${expected === undefined ? 'exists, but should not exist' : 'is missing'}`;
  return `${object} ${path}: ${text(actual)} instead of ${text(expected)}`;
}

function text(value: unknown): string {
  return value === undefined
    ? 'no value'
    : inspect(value, { depth: 8, breakLength: Number.POSITIVE_INFINITY, compact: true });
}
