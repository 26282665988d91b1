import type { Argument, Command, Option } from 'commander';

/** An option of a command. */
export interface OptionModel {
  /** The long name, such as '--watch' or '--no-color'. */
  readonly long: string;
  /** The short name, such as '-y'. */
  readonly short?: string;
  /** The option as the help prints it, such as '-y, --yes' or '--image [image]'. */
  readonly flags: string;
  readonly description: string;
  /** Whether the option has a value; undefined for a flag. */
  readonly value?: 'required' | 'optional';
  /** The allowed values; undefined if any value is allowed. */
  readonly choices?: readonly string[];
  /** The default value of the option. */
  readonly byDefault?: unknown;
}
/** A positional argument of a command. */
export interface ArgumentModel {
  readonly name: string;
  readonly required: boolean;
  /** Whether the argument can be repeated. */
  readonly variadic: boolean;
  readonly choices?: readonly string[];
}
/** A command as data. The completion scripts are generated from this model. */
export interface CommandModel {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionModel[];
  readonly arguments: readonly ArgumentModel[];
  readonly commands: readonly CommandModel[];
}

/** Returns the model of a command, with the options, arguments, and subcommands that `--help` lists. */
export function commandModel(command: Command): CommandModel {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(optionModel),
    arguments: command.registeredArguments.map(argumentModel),
    commands: help.visibleCommands(command).map(commandModel),
  };
}

function optionModel(option: Option): OptionModel {
  const { long, short, flags, description, required, optional, argChoices, defaultValue, negate } = option;
  return {
    long: long ?? short ?? '',
    ...(short !== undefined && long !== undefined && { short }),
    flags,
    description,
    ...(required && { value: 'required' as const }),
    ...(optional && { value: 'optional' as const }),
    ...(argChoices !== undefined && { choices: argChoices }),
    ...(defaultValue !== undefined && !negate && { byDefault: defaultValue as unknown }),
  };
}
function argumentModel(argument: Argument): ArgumentModel {
  const { required, variadic, argChoices } = argument;
  return { name: argument.name(), required, variadic, ...(argChoices !== undefined && { choices: argChoices }) };
}
