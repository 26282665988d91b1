import type { CommandModel } from '../command/command-model.js';
import { type CompletionPlace, commandPattern, completionPlaces } from './completion-words.js';

/** Returns the completion script for bash. The script also supports bash 3.2, which macOS includes. */
export function bashCompletion(program: CommandModel): string {
  const { name } = program;
  const places = completionPlaces(program);
  return `# Completion of ${name} for bash. To enable it in every shell, add to ~/.bashrc: source <(${name} completion bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
      ${commandPattern(places)}) at="$at/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $previous" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${places.map(wordCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

/** Returns the `case` clauses that complete the value of an option: with the choices of the option, or otherwise with file names. */
function valueCases({ at, options }: CompletionPlace): readonly string[] {
  return options
    .filter(({ value }) => value === 'required')
    .map(({ long, short, choices }) => {
      const patterns = [long, ...(short === undefined ? [] : [short])].map((option) => `'${at} ${option}'`);
      const values = choices === undefined ? '-f' : `-W '${choices.join(' ')}'`;
      return `    ${patterns.join('|')}) COMPREPLY=($(compgen ${values} -- "$current")); return ;;`;
    });
}
/**
 * Returns the `case` clause that completes a word at one position. Offers options only if the word starts with a dash. Otherwise, the
 * options would hide the commands and values.
 */
function wordCase({ at, commands, values, options }: CompletionPlace): string {
  const first = [...commands.map(({ name }) => name), ...values].join(' ');
  const dashed = options.map(({ long }) => long).join(' ');
  return `    '${at}') if [[ $current == -* ]]; then words='${dashed}'; else words='${first}'; fi ;;`;
}
