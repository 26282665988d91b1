import type { CommandModel, OptionModel } from '../command/command-model.js';

/** The possible words at one position of the command line. */
export interface CompletionPlace {
  /** The commands before this position, each with a leading slash: '/add/api' after `add api`, '' directly after the program name. */
  readonly at: string;
  readonly commands: readonly CommandModel[];
  /** The allowed values of the first argument; empty if any value is allowed. */
  readonly values: readonly string[];
  readonly options: readonly OptionModel[];
}

/** Returns the possible words at every position of the command line of a program. Every position includes the common options. */
export function completionPlaces(program: CommandModel): readonly CompletionPlace[] {
  // Only the program has the option --version; a subcommand can define --version with another meaning.
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

/** Returns the text in single quotes for a shell. `quote` replaces single quotes in the text; each shell has its own escape sequence. */
export function quoted(text: string, quote: string): string {
  return `'${text.replaceAll("'", quote)}'`;
}
