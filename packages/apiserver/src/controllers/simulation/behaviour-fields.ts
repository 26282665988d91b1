import { type Duration, durationMs } from '@kubewright/api/clock';
import { isQuantity } from '@kubewright/api/quantity';
import { type ContainerBehaviour, exitReasons, waitingReasons } from './pod-behaviour.js';

/** A field of a behavior: its name in annotations, and its valid values. */
export interface BehaviourField {
  readonly annotation: string;
  /** The valid values, for messages. */
  readonly choices: string;
  readonly isValid: (value: unknown) => boolean;
  /** Returns the value that the text of an annotation represents. */
  readonly fromText: (text: string) => unknown;
}

/** The fields of a behavior. The fields at the top of a `PodBehaviour` are the same. */
export const behaviourFields: Readonly<Record<keyof ContainerBehaviour, BehaviourField>> = {
  exitCode: {
    annotation: 'exit-code',
    choices: "an exit code from 0 to 255, a list of exit codes, or 'none'",
    isValid: (value) => value === 'none' || isExitCode(value) || (Array.isArray(value) && value.every(isExitCode)),
    fromText: (text) => {
      if (text === 'none') return text;
      const codes = text.split(',').map((code) => (/^ *\d+ *$/.test(code) ? Number(code) : code));
      return codes.length === 1 ? codes[0] : codes;
    },
  },
  runFor: duration('run-for'),
  exitReason: oneOf('exit-reason', exitReasons),
  exitMessage: text('exit-message'),
  restartAfter: duration('restart-after'),
  waiting: oneOf('waiting', [...waitingReasons, 'none']),
  startAfter: duration('start-after'),
  startedAfter: durationOrNever('started-after'),
  readyAfter: durationOrNever('ready-after'),
  livenessFailsAfter: durationOrNever('liveness-fails-after'),
  stopAfter: durationOrNever('stop-after'),
  logs: {
    ...text('logs'),
    choices: 'a text, or a list of texts',
    isValid: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
  },
  cpu: usage('cpu', '250m'),
  memory: usage('memory', '64Mi'),
};

/** Returns whether a name is a field of a behavior. */
export function isBehaviourField(name: string): name is keyof ContainerBehaviour {
  return Object.hasOwn(behaviourFields, name);
}

function duration(annotation: string): BehaviourField {
  return {
    annotation,
    choices: "a duration such as '500ms', '30s' or '5m'",
    isValid: isDuration,
    fromText: (value) => value,
  };
}

function durationOrNever(annotation: string): BehaviourField {
  const { choices, ...field } = duration(annotation);
  return { ...field, choices: `${choices}, or 'never'`, isValid: (value) => value === 'never' || isDuration(value) };
}

function oneOf(annotation: string, values: readonly string[]): BehaviourField {
  return {
    annotation,
    choices: values.map((value) => `'${value}'`).join(', '),
    isValid: (value) => values.includes(value as string),
    fromText: (value) => value,
  };
}

function text(annotation: string): BehaviourField {
  return { annotation, choices: 'a text', isValid: isText, fromText: (value) => value };
}

function usage(annotation: string, example: string): BehaviourField {
  return {
    annotation,
    choices: `a quantity such as '${example}'`,
    isValid: (value) => isQuantity(value) && !String(value).startsWith('-'),
    fromText: (value) => value,
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isExitCode(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

function isDuration(value: unknown): boolean {
  try {
    return Number.isFinite(durationMs(value as Duration));
  } catch {
    return false;
  }
}
