import type { CommandModel, OptionModel } from '../command/command-model.js';

/** The possible words at one position of the command line. */
export interface CompletionPlace {
  /** The preceding commands, each after a slash: '' for the program, '/add/api' for a subcommand. */
  readonly at: string;
  readonly commands: readonly CommandModel[];
  /** The allowed values of the first argument, if they are restricted. */
  readonly values: readonly string[];
  readonly options: readonly OptionModel[];
}

/** Returns the positions of a program. Each includes the options that all commands share. */
export function completionPlaces(program: CommandModel): readonly CompletionPlace[] {
  // Only the program itself has a version.
  const everywhere = program.options.filter(({ long }) => long !== '--version');
  const places = placesOf(program, '', everywhere);
  const commands = program.commands.map(({ name }) => name).filter((name) => name !== 'help');
  return places.map((place) => (place.at === '/help' ? { ...place, values: commands } : place));
}

function placesOf(command: CommandModel, at: string, everywhere: readonly OptionModel[]): readonly CompletionPlace[] {
  const own = command.options;
  const options = [...own, ...everywhere.filter(({ long }) => !own.some((each) => each.long === long))];
  const values = command.arguments[0]?.choices ?? [];
  return [
    { at, commands: command.commands, values, options },
    ...command.commands.flatMap((child) => placesOf(child, `${at}/${child.name}`, everywhere)),
  ];
}

/** Returns the commands as a pattern for `case` in a shell: '/add|/add/api|/build'. */
export function commandPattern(places: readonly CompletionPlace[]): string {
  return places
    .map(({ at }) => at)
    .filter((at) => at !== '')
    .join('|');
}

/** Returns the text in single quotes of a shell. `quote` is the escaped form of a single quote. */
export function quoted(text: string, quote: string): string {
  return `'${text.replaceAll("'", quote)}'`;
}
