import { inspect } from 'node:util';
import type { KindRef, KubeObject } from '@kubewright/api';
import { durationMs } from '@kubewright/api/clock';
import { messageOf } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { isIndex } from '../../cache/store/index-declaration.js';
import { RENAMED_QUEUE_OPTIONS, renamedOptionProblem } from '../../queue/renamed-options.js';
import type { ControllerOptions } from './controller-options.js';
import { rbacProblem } from '../../rbac/rbac-problem.js';
import { isOptionalKind, optionalKindProblem } from '../watches/watch-declaration.js';

/** Checks the value of an option. Returns the violated rule as a sentence, or undefined for a valid value. */
type Check = (value: unknown) => string | undefined;

const mustBe =
  (isFine: (value: unknown) => boolean, rule: string): Check =>
  (value) =>
    isFine(value) ? undefined : rule;

const ALWAYS_FINE: Check = () => undefined;
const TEXT = mustBe((value) => typeof value === 'string' && value !== '', 'it must be a non-empty string');
const FUNCTION = mustBe((value) => typeof value === 'function', 'it must be a function');
const FLAG = mustBe((value) => typeof value === 'boolean', 'it must be true or false');
const LIST = mustBe(Array.isArray, 'it must be a list');
const COUNT = mustBe((value) => Number.isInteger(value) && Number(value) > 0, 'it must be a positive integer');
const TIME = mustBe((value) => timeMs(value) !== undefined, "it must be a duration such as '30s'");
const LONG_TIME = mustBe(
  (value) => (timeMs(value) ?? 0) > 0,
  "it must be a duration greater than 0, such as '30s'; omit the option to disable it",
);
const OWNS: Check = (value) => {
  if (!Array.isArray(value)) return LIST(value);
  return value
    .filter(isOptionalKind)
    .map(optionalKindProblem)
    .find((problem) => problem !== undefined);
};
const KINDS: Check = (value) => {
  if (!Array.isArray(value)) return 'it must be a list of kinds';
  const problems = value.map((each) =>
    isOptionalKind(each) ? (kindProblem(each.kind) ?? optionalKindProblem(each)) : kindProblem(each),
  );
  return problems.find((problem) => problem !== undefined);
};
/** Rejects a kind that is not wrapped in `references(…)` or `watch(…)`. A kind alone does not specify which objects to reconcile. */
const WATCHES: Check = (value) => {
  if (!Array.isArray(value)) return LIST(value);
  const kind = value.find((each) => kindProblem(each) === undefined);
  if (kind === undefined) return undefined;
  const { kind: name } = kindOf(kind as KindRef);
  return `specify which objects a ${name} affects, with references(${name}, …) or watch(${name}, { map }), or list ${name} under 'owns' or 'reads'`;
};

/** The controller options that were renamed after version 0.1: the new name by the old name. */
export const RENAMED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ...RENAMED_QUEUE_OPTIONS,
  ['errorCondition', 'reconcileCondition'],
]);

/** The check of each option. Kind, name, watches and sources have additional checks elsewhere. */
const CHECKS: { readonly [K in keyof ControllerOptions<KubeObject>]-?: Check } = {
  for: ALWAYS_FINE,
  name: ALWAYS_FINE,
  sameName: FLAG,
  logger: FUNCTION,
  when: FUNCTION,
  owns: OWNS,
  watches: WATCHES,
  sources: LIST,
  reads: KINDS,
  rbac: (value) =>
    Array.isArray(value)
      ? value.map(rbacProblem).find((problem) => problem !== undefined)
      : 'it must be a list of rules',
  indexes: mustBe(
    (value) => Array.isArray(value) && value.every(isIndex),
    "it must be a list of indexes, such as [index(Kind, 'name', …)]",
  ),
  scope: mustBe((value) => value === 'controller' || value === 'reconcile', "use 'controller' or 'reconcile'"),
  concurrency: COUNT,
  every: LONG_TIME,
  timeout: LONG_TIME,
  backoff: backoffProblem,
  retryLimit: retryLimitProblem,
  debounce: TIME,
  starvationLimit: (value) => (value === false ? undefined : TIME(value)),
  maxAttempts: mustBe(
    (value) => value === Number.POSITIVE_INFINITY || COUNT(value) === undefined,
    'it must be a positive integer; omit it for no limit',
  ),
  minInterval: TIME,
  priority: FUNCTION,
  finalizer: mustBe(
    (value) => typeof value === 'string' && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9][-A-Za-z0-9_.]*$/.test(value),
    "it must have the form 'example.com/name'",
  ),
  reconcileCondition: (value) => (value === false ? undefined : TEXT(value)),
  hotLoops: mustBe((value) => value === 'damp' || value === 'warn' || value === false, "use 'damp', 'warn' or false"),
  failFast: FLAG,
  namespaces: mustBe(
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== ''),
    'it must be a non-empty list of namespace names; omit it to use the namespaces of the manager',
  ),
  syncTimeout: mustBe(
    (value) => value === false || (timeMs(value) ?? 0) > 0,
    "it must be a duration greater than 0, such as '30s', or false for no limit",
  ),
  leaderOnly: FLAG,
  warmUp: FLAG,
};

/** Returns the first problem of the options of a controller, as a sentence with the fix. Returns undefined if all options are valid. */
export function optionProblem(options: object): string | undefined {
  for (const [option, value] of Object.entries(options)) {
    if (!isOption(option)) {
      return (
        renamedOptionProblem(option, RENAMED_OPTIONS) ??
        `unknown option '${option}': use one of ${Object.keys(CHECKS).join(', ')}`
      );
    }
    if (value === undefined) continue;
    const problem = CHECKS[option](value);
    if (problem !== undefined) return `${option} is ${described(value)}: ${problem}`;
  }
  return undefined;
}

/** Returns why a value is not a kind. Returns undefined for a kind. */
export function kindProblem(kind: unknown): string | undefined {
  try {
    kindOf(kind as KindRef);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function backoffProblem(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  const { initial = '5ms', max = '1000s' } = (value ?? {}) as { readonly initial?: unknown; readonly max?: unknown };
  const [from, to] = [timeMs(initial), timeMs(max)];
  if (from === undefined || to === undefined || from === 0)
    return "use durations greater than 0: { initial: '5ms', max: '1000s' }";
  return from > to ? 'initial must not be longer than max' : undefined;
}
function retryLimitProblem(value: unknown): string | undefined {
  const { perSecond = 0, burst = 0 } = (value ?? {}) as { readonly perSecond?: number; readonly burst?: number };
  const isFine = perSecond > 0 && perSecond < Number.POSITIVE_INFINITY && burst >= 0;
  return isFine ? undefined : 'perSecond must be greater than 0, and burst must be at least 0';
}
/** Returns a duration in milliseconds. Returns undefined if the value is not a duration. */
function timeMs(value: unknown): number | undefined {
  try {
    return durationMs(value as never);
  } catch {
    return undefined;
  }
}
function isOption(name: string): name is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, name);
}
function described(value: unknown): string {
  return typeof value === 'function' ? 'a function' : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}
