import type { CommandModel } from '../command/command-model.js';
import { type CompletionPlace, commandPattern, completionPlaces, quoted } from './completion-words.js';

/** Returns the completion script for zsh. Users source the script, or save it as a file `_NAME` in a folder of `$fpath`. */
export function zshCompletion(program: CommandModel): string {
  const { name } = program;
  const places = completionPlaces(program);
  return `#compdef ${name}
# Completion of ${name} for zsh. To enable it in every shell, add to ~/.zshrc, after compinit: source <(${name} completion zsh)
_${name}() {
  local at='' i
  local -a entries options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
      ${commandPattern(places)}) at="$at/\${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${places.map(entryCase).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
  elif (( \${#entries} )); then
    _describe command entries
  else
    _files
  fi
}
if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function valueCases({ at, options }: CompletionPlace): readonly string[] {
  return options
    .filter(({ value }) => value === 'required')
    .map(({ long, short, choices }) => {
      const patterns = [long, ...(short === undefined ? [] : [short])].map((option) => `'${at} ${option}'`);
      const offer = choices === undefined ? '_files' : `compadd -- ${choices.join(' ')}`;
      return `    ${patterns.join('|')}) ${offer}; return ;;`;
    });
}
function entryCase({ at, commands, values, options }: CompletionPlace): string {
  const entries = [...commands.map(({ name, description }) => described(name, description)), ...values];
  const dashed = options.map(({ long, description }) => described(long, description));
  return `    '${at}')\n      entries=(${entries.join(' ')})\n      options=(${dashed.join(' ')})\n      ;;`;
}
function described(word: string, description: string): string {
  return quoted(`${word}:${description.replaceAll(':', '\\:')}`, String.raw`'\''`);
}
