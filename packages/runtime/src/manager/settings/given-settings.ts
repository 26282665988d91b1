import { KubewrightError } from '@kubewright/api/errors';
import {
  CONTROLLER_FLAG,
  CONTROLLER_VARIABLE,
  controllerSettings,
  renamedControllerSettings,
} from './controller-settings.js';
import type { Setting } from './setting.js';

/** The environment variables and arguments from which settings are read. */
export interface SettingSources {
  /** The environment variables. @default the environment of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The arguments of the program, without the program name. @default the arguments of the process */
  readonly args?: readonly string[];
}

/** The variable with a comma-separated list of variables that the `kubewright` command set when it started the operator. */
export const COMMAND_VARIABLES = 'KUBEWRIGHT_COMMAND_VARIABLES';

/** The value of a setting that a flag or a variable sets. */
export interface GivenSetting {
  readonly value: unknown;
  readonly from: 'flag' | 'environment';
  /** The name of the flag or the variable. */
  readonly by: string;
}

/**
 * The settings that flags and variables set. Flags have the form `--name=value` or `--name value`. Arguments after `--` are ignored. A flag
 * takes precedence over a variable. If a flag is repeated, the last value applies. Empty variables and unknown flags are ignored.
 */
export class GivenSettings {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #flags: ReadonlyMap<string, Flag>;
  /** The flags and variables with the prefix of controllers. */
  readonly #ofControllers: readonly string[];

  constructor({ env, args }: Required<SettingSources>) {
    this.#env = env;
    this.#flags = flagsOf(args);
    this.#ofControllers = [
      ...[...this.#flags.keys()].filter((name) => name.startsWith(CONTROLLER_FLAG)),
      ...Object.keys(env).filter((name) => name.startsWith(CONTROLLER_VARIABLE)),
    ];
  }

  /** Returns the settings of a controller that flags and variables set. Throws INVALID_SETTING like `of`. */
  ofController(name: string): readonly { readonly setting: Setting; readonly setBy: GivenSetting }[] {
    // The names of the settings are not created for each controller of an operator without such flags and variables.
    if (this.#ofControllers.length === 0) return [];
    return controllerSettings(name).flatMap((setting) => {
      const setBy = this.of(setting);
      return setBy === undefined ? [] : [{ setting, setBy }];
    });
  }

  /**
   * Returns the value of a setting. Returns undefined if no flag and no variable sets it. Throws INVALID_SETTING; the message names the
   * flag or variable, its value and the allowed values.
   */
  of({ flag, aliases, variable, value }: Setting): GivenSetting | undefined {
    const by = [...aliases, flag].findLast((name) => this.#flags.has(name));
    if (by !== undefined) {
      const { inline, next } = this.#flags.get(by) ?? {};
      const given = inline ?? (value.isSwitch && next !== 'false' ? 'true' : next);
      if (given === undefined) throw invalid(`${by} has no value`, value.allowed);
      return { value: read(value, given, by), from: 'flag', by };
    }
    const given = this.#env[variable];
    if (given === undefined || given === '') return undefined;
    return { value: read(value, given, variable), from: 'environment', by: variable };
  }

  /** Whether the `kubewright` command set this variable when it started the operator. The manager does not log such variables. */
  isOfCommand(by: string): boolean {
    return this.#env[COMMAND_VARIABLES]?.split(',').includes(by) === true;
  }

  /**
   * Returns the flags and variables of controllers that match no setting of the given controllers. Throws INVALID_SETTING for the old name
   * of a renamed setting.
   */
  unusedSettings(controllers: readonly string[]): readonly string[] {
    if (this.#ofControllers.length === 0) return [];
    const known = new Set(controllers.flatMap(controllerSettings).flatMap(({ flag, variable }) => [flag, variable]));
    const unused = this.#ofControllers.filter((name) => !known.has(name));
    const renamed = new Map(controllers.flatMap(renamedControllerSettings));
    for (const name of unused) {
      const now = renamed.get(name);
      if (now !== undefined) throw new KubewrightError('INVALID_SETTING', `unknown setting ${name}; it is now ${now}`);
    }
    return unused;
  }
}

interface Flag {
  /** The text after '='. Undefined if the argument contains no '='. */
  readonly inline?: string;
  /** The next argument. Undefined if there is none or if it is a flag. The argument after a switch can be unrelated to the switch. */
  readonly next?: string;
}

function flagsOf(args: readonly string[]): ReadonlyMap<string, Flag> {
  const flags = new Map<string, Flag>();
  for (const [at, arg] of args.entries()) {
    if (arg === '--') break;
    if (!arg.startsWith('--')) continue;
    const equals = arg.indexOf('=');
    const next = args[at + 1];
    if (equals !== -1) flags.set(arg.slice(0, equals), { inline: arg.slice(equals + 1) });
    else flags.set(arg, next === undefined || next.startsWith('--') ? {} : { next });
  }
  return flags;
}
function read(value: Setting['value'], given: string, by: string): unknown {
  const parsed = value.parse(given.trim());
  if (parsed !== undefined) return parsed;
  throw invalid(`${by} is '${given}'`, value.allowed);
}
function invalid(wrong: string, allowed: string): KubewrightError {
  return new KubewrightError('INVALID_SETTING', `cannot apply the settings of the manager: ${wrong}; use ${allowed}`);
}
