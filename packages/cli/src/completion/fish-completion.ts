import type { CommandModel, OptionModel } from '../command/command-model.js';
import { type CompletionPlace, completionPlaces, quoted } from './completion-words.js';

/** Returns the completion script for fish, to be written to `~/.config/fish/completions`. */
export function fishCompletion(program: CommandModel): string {
  const { name } = program;
  const places = completionPlaces(program);
  return `# Completion of ${name} for fish. To enable it in every shell, run: ${name} completion fish > ~/.config/fish/completions/${name}.fish
function __${name}_at
  set -l at ''
  set -l typed (commandline -opc)
  set -e typed[1]
  for word in $typed
    if contains -- "$at/$word" ${places
      .map((place) => place.at)
      .filter((at) => at !== '')
      .join(' ')}
      set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c ${name} -e
complete -c ${name} -f
${places.flatMap((place) => linesOf(name, place)).join('\n')}
`;
}

function linesOf(program: string, { at, commands, values, options }: CompletionPlace): readonly string[] {
  const here = `complete -c ${program} -n "__${program}_at '${at}'"`;
  return [
    ...commands.map(({ name, description }) => `${here} -a ${name} -d ${text(description)}`),
    ...(values.length === 0 ? [] : [`${here} -a '${values.join(' ')}'`]),
    ...options.map((option) => `${here} ${optionText(option)} -d ${text(option.description)}`),
  ];
}
function optionText({ long, short, value, choices }: OptionModel): string {
  const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
  if (value !== 'required') return names;
  return choices === undefined ? `${names} -r -F` : `${names} -x -a '${choices.join(' ')}'`;
}
function text(description: string): string {
  return quoted(description.replaceAll('\\', '\\\\'), String.raw`\'`);
}
