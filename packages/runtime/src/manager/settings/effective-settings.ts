import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { INLINE, shownKubeconfig } from '../../transport/kubeconfig-source.js';
import { RequestLimit } from '../../transport/request-limit.js';
import type { ManagerOptions } from '../manager-options.js';
import type { GivenSetting, GivenSettings } from './given-settings.js';
import { LEADER_ELECT, MANAGER_SETTINGS } from './manager-settings.js';
import { optionAt, withOption } from './option-path.js';
import type { Setting } from './setting.js';

/** A setting as it is, and who said so. */
export interface EffectiveSetting {
  /** Its path among the options, such as 'leaderElection.duration'; that of a controller begins with 'controller.' and its name. */
  readonly name: string;
  /** Undefined where nothing was said and the default is to do without. */
  readonly value: unknown;
  readonly from: 'flag' | 'environment' | 'code' | 'default';
  /** The flag or the variable that says it. */
  readonly by?: string;
  /** The variable and the flag that can say it. */
  readonly variable: string;
  readonly flag: string;
}

/** The options with what flags and variables say in place of what the code does. Throws INVALID_SETTING. */
export function effectiveOptions(options: ManagerOptions, given: GivenSettings): ManagerOptions {
  let effective = options;
  for (const setting of MANAGER_SETTINGS) {
    const said = given.of(setting);
    if (said !== undefined) effective = withSetting(effective, setting, said);
  }
  return withNamedElection(effective, given.of(LEADER_ELECT));
}

/** Each setting of a manager, in the order of their table. */
export function describedSettings(
  options: ManagerOptions,
  { given, defaults }: { readonly given: GivenSettings | undefined; readonly defaults: object },
): readonly EffectiveSetting[] {
  return MANAGER_SETTINGS.map((setting) => {
    const value = setting === LEADER_ELECT ? contends(options) : shown(setting, optionAt(named(options), setting.name));
    return described(setting, {
      value: value ?? optionAt(defaults, setting.name),
      isSet: value !== undefined,
      said: given?.of(setting),
    });
  });
}

/** A setting with its value and who said it. */
export function described(
  { name, variable, flag }: Setting,
  { value, isSet, said }: { readonly value: unknown; readonly isSet: boolean; readonly said: GivenSetting | undefined },
): EffectiveSetting {
  const from = said === undefined ? ({ from: isSet ? 'code' : 'default' } as const) : { from: said.from, by: said.by };
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
  // What is switched off has no settings.
  if (isWithin && optionAt(base, parent) === false) return options;
  // Whoever says where the cluster is does not mean the one that the code knows.
  if (name === 'kubeconfig' || name === 'context') return { ...withoutConnection(options), [name]: value };
  // An address is said of what has other options as well.
  const inner = optionAt(base, name);
  const isPart = isJsonObject(value) && isJsonObject(inner) && !(value instanceof RequestLimit);
  return withOption(base, name, isPart ? { ...inner, ...value } : value);
}

function withoutConnection(options: ManagerOptions): ManagerOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'connection'));
}
/** The options with leader election as an object, so that it can be added to. */
function named(options: ManagerOptions): ManagerOptions {
  const { leaderElection } = options;
  return typeof leaderElection === 'string' ? { ...options, leaderElection: { name: leaderElection } } : options;
}
/** An election that has no name, because only other things were said of it, is none. */
function withNamedElection(options: ManagerOptions, elect: GivenSetting | undefined): ManagerOptions {
  if (!isJsonObject(options.leaderElection) || optionAt(options, 'leaderElection.name') !== undefined) return options;
  if (elect === undefined) return { ...options, leaderElection: false };
  throw new KubewrightError(
    'INVALID_SETTING',
    `cannot take the settings of the manager: ${elect.by} asks for leader election, and nothing names the Lease; write --leader-election-name, KUBEWRIGHT_LEADER_ELECTION_NAME or the option leaderElection`,
  );
}
function contends({ leaderElection }: ManagerOptions): boolean | undefined {
  return leaderElection === undefined ? undefined : leaderElection !== false;
}
/** The text of a kubeconfig contains secrets. A limit is shown as it is written. */
function shown({ name }: Setting, value: unknown): unknown {
  if (value instanceof RequestLimit) return `${value.perSecond}/${value.burst}`;
  if (name !== 'kubeconfig' || value === undefined) return value;
  return typeof value === 'string' ? shownKubeconfig(value) : INLINE;
}
