import { inspect } from 'node:util';
import { kindOf } from '@kubewright/api/metadata';
import type { TraceEntry } from '../../trace/trace-entry.js';
import type { Finding } from '../search/finding.js';
import type { Difference } from '../state/state-differences.js';
import { describeFault } from '../trials/faults/fault.js';
import type { Trial } from '../trials/run-trial.js';
import { isImmediate, isOther, secondsOf, type Step } from '../trials/step.js';
import { OTHER, SUBJECT } from '../trials/world.js';
import { traceLines } from './trace-lines.js';

/** The maximum number of differences in a report of one finding. */
const MOST_DIFFERENCES = 10;

/** The maximum number of lines of a trace in a report of one finding. */
const MOST_LINES = 40;

/** Returns the report of a finding: the sentence, the history, the differences or details, and the trace if there is one. */
export function reportFinding(finding: Finding): string {
  const { kind } = kindOf(finding.trial.kind);
  const { oracle, sentence, fields, trial, differences, details, expected, trace = [] } = finding;
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
    ...traceReport(trace),
  ].join('\n');
}

/** Returns the lines of a trace. Omits the beginning of a long trace, because the violation is at the end. */
function traceReport(trace: readonly TraceEntry[]): readonly string[] {
  const lines = traceLines(trace);
  if (lines.length === 0) return [];
  const omitted = lines.length - MOST_LINES;
  const shown = omitted > 0 ? [`… ${omitted} earlier lines`, ...lines.slice(omitted)] : lines;
  return ['  trace:', ...shown.map((line) => `    ${line}`)];
}

/** Returns the steps of a trial, one line each. */
function historyLines({ kind, steps, faults = [] }: Trial): readonly string[] {
  const { kind: name } = kindOf(kind);
  const lines = steps.map((step, at) => stepText(step, name, steps.slice(0, at)));
  return [...lines.map((line, at) => `${at + 1}. ${line}`), ...faults.map((fault) => `fault: ${describeFault(fault)}`)];
}

function stepText(step: Step, kind: string, before: readonly Step[]): string {
  const object = `${kind} ${isOther(step) ? OTHER : SUBJECT.name}`;
  const seconds = secondsOf(step);
  const after = isImmediate(step)
    ? ', and continue at once'
    : seconds === undefined
      ? ''
      : `, and continue after ${seconds} s`;
  switch (step.action) {
    case 'declare': {
      const ofObject = before.filter((each) => isOther(each) === isOther(step));
      const last = ofObject.findLast(({ action }) => action === 'declare' || action === 'delete');
      return `${last?.action === 'declare' ? 'change' : 'create'} ${object}: spec ${text(step.spec)}${after}`;
    }
    case 'delete':
      return `delete ${object}${after}`;
    case 'stop':
      return 'stop the operator';
    case 'start':
      return 'start the operator';
    case 'restart':
      return 'restart the operator';
    case 'plant':
      return 'create a copy of each child, with another name and without an owner';
    case 'edit-child':
    case 'edit-object':
      return `edit ${step.object}`;
    case 'delete-child':
    case 'remove-object':
      return `delete ${step.object}`;
    case 'restore-object':
      return `create ${step.object}`;
  }
}

function differenceLine({ object, path, actual, expected }: Difference): string {
  if (expected === undefined && path === '') return `${object} exists, but should not exist`;
  if (actual === undefined && path === '') return `${object} is missing`;
  return `${object}${path === '' ? '' : ` ${path}`}: ${text(actual)} instead of ${text(expected)}`;
}

function text(value: unknown): string {
  return value === undefined
    ? 'no value'
    : inspect(value, { depth: 8, breakLength: Number.POSITIVE_INFINITY, compact: true });
}
