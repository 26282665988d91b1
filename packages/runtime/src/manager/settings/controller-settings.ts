import { RENAMED_OPTIONS } from '../../controller/options/option-problem.js';
import { type Setting, setting } from './setting.js';
import {
  boolean,
  count,
  duration,
  durationOrFalse,
  list,
  oneOf,
  orFalse,
  positiveDuration,
  positiveDurationOrFalse,
  qualifiedName,
  type SettingValue,
  text,
} from './setting-value.js';

/** The prefixes of flags and variables of controllers: `--controller.NAME.…` and `KUBEWRIGHT_CONTROLLER_NAME_…`. */
export const CONTROLLER_FLAG = '--controller.';
export const CONTROLLER_VARIABLE = 'KUBEWRIGHT_CONTROLLER_';

/** The options of a controller that flags and variables can set, with their types. */
const OPTIONS: readonly (readonly [name: string, value: SettingValue])[] = [
  ['concurrency', count],
  ['every', positiveDuration],
  ['timeout', positiveDuration],
  ['syncTimeout', positiveDurationOrFalse],
  ['backoff.initial', positiveDuration],
  ['backoff.max', positiveDuration],
  ['retryLimit.perSecond', count],
  ['retryLimit.burst', count],
  ['debounce', duration],
  ['starvationLimit', durationOrFalse],
  ['maxAttempts', count],
  ['minInterval', duration],
  ['finalizer', qualifiedName],
  ['reconcileCondition', orFalse(text)],
  ['hotLoops', orFalse(oneOf('damp', 'warn'))],
  ['failFast', boolean],
  ['namespaces', list],
  ['leaderOnly', boolean],
  ['warmUp', boolean],
];

/** Returns the settings of one controller. Their names start with 'controller.' and the name of the controller. */
export function controllerSettings(controller: string): readonly Setting[] {
  return OPTIONS.map(([name, value]) => setting(name, value, { prefix: `controller.${controller}` }));
}

/** Returns the flags and variables of renamed options of a controller, each with the new flag or variable. */
export function renamedControllerSettings(controller: string): readonly (readonly [old: string, now: string])[] {
  const prefix = `controller.${controller}`;
  return [...RENAMED_OPTIONS].flatMap(([oldName, newName]) => {
    const old = setting(oldName, text, { prefix });
    const now = setting(newName, text, { prefix });
    return [[old.flag, now.flag] as const, [old.variable, now.variable] as const];
  });
}
