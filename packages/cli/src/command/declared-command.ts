import { Command, type Option } from 'commander';
import { checkNeeds, type OptionNeeds } from './check-needs.js';
import { type Example, withExamples } from './examples.js';

/** The name, options, and help of a command. */
export interface CommandDeclaration {
  readonly name: string;
  readonly description: string;
  /** The options, in the order of the help. @default none */
  readonly options?: readonly Option[];
  /** Lines that the help prints between the options and the examples. @default none */
  readonly notes?: readonly string[];
  readonly examples: readonly Example[];
  /** The options that have an effect only together with another option. @default none */
  readonly needs?: OptionNeeds;
}

/** Creates a command from the declaration. The caller adds the arguments and the action. */
export function declaredCommand(declaration: CommandDeclaration): Command {
  const { name, description, options = [], notes = [], examples, needs = {} } = declaration;
  const command = new Command(name).description(description);
  for (const option of options) command.addOption(option);
  if (notes.length > 0) command.addHelpText('after', ['', ...notes].join('\n'));
  command.hook('preAction', (_command, action) => checkNeeds(action, needs));
  return withExamples(command, examples);
}
