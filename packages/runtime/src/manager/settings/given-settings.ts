import { KubewrightError } from '@kubewright/api/errors';
import { CONTROLLER_FLAG, CONTROLLER_VARIABLE, controllerSettings } from './controller-settings.js';
import type { Setting } from './setting.js';

/** Where settings come from. */
export interface SettingSources {
  /** @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The arguments of the program, without its own name. @default those of the process */
  readonly args?: readonly string[];
}

/** The variable that lists, with commas between, those which the command set that started the operator, and nobody else. */
export const COMMAND_VARIABLES = 'KUBEWRIGHT_COMMAND_VARIABLES';

/** What somebody said about a setting, and how. */
export interface GivenSetting {
  readonly value: unknown;
  readonly from: 'flag' | 'environment';
  /** The flag or the variable. */
  readonly by: string;
}

/**
 * What flags and variables say. A flag goes before a variable, the last of several equal flags before the others; an empty variable
 * counts as none. Flags are `--name=value` or `--name value`, up to `--`; those that are not ours are left to the program.
 */
export class GivenSettings {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #flags: ReadonlyMap<string, Flag>;

  constructor({ env, args }: Required<SettingSources>) {
    this.#env = env;
    this.#flags = flagsOf(args);
  }

  /** Undefined where nobody said anything. Throws INVALID_SETTING, naming the flag or variable, its value and what is allowed. */
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

  /** Whether a flag or variable was set by the command that started the operator: nobody needs to hear of it. */
  isOfCommand(by: string): boolean {
    return this.#env[COMMAND_VARIABLES]?.split(',').includes(by) === true;
  }

  /** The flags and variables that are about controllers and mean nothing for those that there are. */
  strays(controllers: readonly string[]): readonly string[] {
    const known = controllers.flatMap(controllerSettings);
    const flags = new Set(known.map(({ flag }) => flag));
    const variables = new Set(known.map(({ variable }) => variable));
    return [
      ...[...this.#flags.keys()].filter((name) => name.startsWith(CONTROLLER_FLAG) && !flags.has(name)),
      ...Object.keys(this.#env).filter((name) => name.startsWith(CONTROLLER_VARIABLE) && !variables.has(name)),
    ];
  }
}

interface Flag {
  /** What follows '='. */
  readonly inline?: string;
  /** The next argument, unless that is a flag; it may be no value of this one. */
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
  return new KubewrightError('INVALID_SETTING', `cannot take the settings of the manager: ${wrong}; write ${allowed}`);
}
