import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { INLINE, shownKubeconfig } from '../../transport/kubeconfig/kubeconfig-source.js';
import { RequestLimit } from '../../transport/request/request-limit.js';
import type { ManagerOptions } from './manager-options.js';
import type { GivenSetting, GivenSettings } from './given-settings.js';
import { LEADER_ELECT, MANAGER_SETTINGS } from './manager-settings.js';
import { optionAt, withOption } from './option-path.js';
import type { Setting } from './setting.js';

/** A setting as `manager.settings()` returns it: the current value and its source. */
export interface EffectiveSetting {
  /**
   * The path of the option, such as 'leaderElection.duration'. For an option of a controller, the path starts with 'controller.' and the
   * name of the controller.
   */
  readonly name: string;
  /** The value. Undefined if no option and no default sets a value. */
  readonly value: unknown;
  readonly from: 'flag' | 'environment' | 'code' | 'default';
  /** The flag or the variable that sets the value. Undefined if neither does. */
  readonly by?: string;
  /** The environment variable that can set the value. */
  readonly variable: string;
  /** The flag that can set the value. */
  readonly flag: string;
}

/** Returns the options of a manager, overridden by flags and variables. Throws INVALID_SETTING. */
export function effectiveOptions(options: ManagerOptions, given: GivenSettings): ManagerOptions {
  let effective = options;
  for (const setting of MANAGER_SETTINGS) {
    const setBy = given.of(setting);
    if (setBy !== undefined) effective = withSetting(effective, setting, setBy);
  }
  return withNamedElection(effective, given.of(LEADER_ELECT));
}

/** Returns each setting of a manager, in the order of `MANAGER_SETTINGS`. */
export function describedSettings(
  options: ManagerOptions,
  { given, defaults }: { readonly given: GivenSettings | undefined; readonly defaults: object },
): readonly EffectiveSetting[] {
  return MANAGER_SETTINGS.map((setting) => {
    const value = setting === LEADER_ELECT ? contends(options) : shown(setting, optionAt(named(options), setting.name));
    return described(setting, {
      value: value ?? optionAt(defaults, setting.name),
      isSet: value !== undefined,
      setBy: given?.of(setting),
    });
  });
}

/** Returns a setting as `manager.settings()` returns it. */
export function described(
  { name, variable, flag }: Setting,
  {
    value,
    isSet,
    setBy,
  }: { readonly value: unknown; readonly isSet: boolean; readonly setBy: GivenSetting | undefined },
): EffectiveSetting {
  const from =
    setBy === undefined ? ({ from: isSet ? 'code' : 'default' } as const) : { from: setBy.from, by: setBy.by };
  return { name, value, ...from, variable, flag };
}

function withSetting(options: ManagerOptions, setting: Setting, { value }: GivenSetting): ManagerOptions {
  const { name } = setting;
  if (setting === LEADER_ELECT) {
    if (value === false) return { ...options, leaderElection: false };
    return options.leaderElection ? options : withOption(options, 'leaderElection', {});
  }
  const [parent = ''] = name.split('.');
  const isWithin = parent !== name;
  const base = named(options);
  // Settings of a disabled feature have no effect.
  if (isWithin && optionAt(base, parent) === false) return options;
  // If a flag or a variable selects a cluster, the option `connection` of the program is ignored.
  if (name === 'kubeconfig' || name === 'context') return { ...withoutConnection(options), [name]: value };
  // Adds the fields of the value to an existing object. For example, an address replaces `port` and `host`, and keeps the other options of
  // the server.
  const inner = optionAt(base, name);
  const isPart = isJsonObject(value) && isJsonObject(inner) && !(value instanceof RequestLimit);
  return withOption(base, name, isPart ? { ...inner, ...value } : value);
}

function withoutConnection(options: ManagerOptions): ManagerOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'connection'));
}
/** Returns the options with `leaderElection` as an object instead of a name, so that settings can be added to it. */
function named(options: ManagerOptions): ManagerOptions {
  const { leaderElection } = options;
  return typeof leaderElection === 'string' ? { ...options, leaderElection: { name: leaderElection } } : options;
}
/**
 * Disables leader election if other options of the election are set, but not the name of the Lease. Throws INVALID_SETTING if a flag or a
 * variable enables the election without a name.
 */
function withNamedElection(options: ManagerOptions, elect: GivenSetting | undefined): ManagerOptions {
  if (!isJsonObject(options.leaderElection) || optionAt(options, 'leaderElection.name') !== undefined) return options;
  if (elect === undefined) return { ...options, leaderElection: false };
  throw new KubewrightError(
    'INVALID_SETTING',
    `cannot apply the settings of the manager: ${elect.by} enables leader election, but the name of the Lease is not set; set --leader-election-name, KUBEWRIGHT_LEADER_ELECTION_NAME or the option leaderElection`,
  );
}
function contends({ leaderElection }: ManagerOptions): boolean | undefined {
  return leaderElection === undefined ? undefined : leaderElection !== false;
}
/**
 * Returns the value of a setting for display. Omits the content of a kubeconfig, which contains secrets, and formats a request limit like
 * the value of a flag.
 */
function shown({ name }: Setting, value: unknown): unknown {
  if (value instanceof RequestLimit) return `${value.perSecond}/${value.burst}`;
  if (name !== 'kubeconfig' || value === undefined) return value;
  return typeof value === 'string' ? shownKubeconfig(value) : INLINE;
}
