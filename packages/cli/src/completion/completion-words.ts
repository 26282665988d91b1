import type { CommandModel, OptionModel } from '../command/command-model.js';

/** What can be written at one place of the command line. */
export interface CompletionPlace {
  /** The commands up to here, each after a slash: '' for the program, '/add/api' for a command of a command. */
  readonly at: string;
  readonly commands: readonly CommandModel[];
  /** The values of the first argument, where there are only these. */
  readonly values: readonly string[];
  readonly options: readonly OptionModel[];
}

/** The places of a program, with those that every command has in common. */
export function completionPlaces(program: CommandModel): readonly CompletionPlace[] {
  // A version is asked for of the whole program only.
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

/** The commands as a pattern of a `case` of a shell: '/add|/add/api|/build'. */
export function commandPattern(places: readonly CompletionPlace[]): string {
  return places
    .map(({ at }) => at)
    .filter((at) => at !== '')
    .join('|');
}

/** A text between single quotes of a shell in which `quote` stands for one. */
export function quoted(text: string, quote: string): string {
  return `'${text.replaceAll("'", quote)}'`;
}
