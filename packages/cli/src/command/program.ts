import { Command, Option } from 'commander';
import { addCommand } from '../add/add-command.js';
import { compileCommand } from '../build/compile-command.js';
import { buildCommand } from '../build/build-command.js';
import { completionCommand } from '../completion/completion-command.js';
import { deployCommand } from '../deploy/deploy-command.js';
import { installCommand } from '../deploy/install-command.js';
import { undeployCommand } from '../deploy/undeploy-command.js';
import { uninstallCommand } from '../deploy/uninstall-command.js';
import { diffCommand } from '../diff/diff-command.js';
import { doctorCommand } from '../doctor/doctor-command.js';
import { devCommand } from '../dev/dev-command.js';
import { exploreCommand } from '../explore/explore-command.js';
import { generateCommand } from '../generate/generate-command.js';
import { initCommand } from '../init/init-command.js';
import { migrateCommand } from '../migrate/migrate-command.js';
import { migrateStorageCommand } from '../migrate-storage/migrate-storage-command.js';
import { runCommand } from '../run/run-command.js';
import type { CommandContext, GlobalOptions } from './command-context.js';
import { cliVersion } from './cli-version.js';
import { CommandGroup } from './command-group.js';
import { withExamples } from './examples.js';
import { helpCommand } from './help-command.js';
import { usageError } from './usage-error.js';

/**
 * The maximum number of characters of a description in the list of commands. The list contains only the first clause of a longer
 * description.
 */
const LONG = 56;

/** Creates the CLI with all commands. To start quickly, the program loads the implementation of a command only when the command runs. */
export function programOf(context: CommandContext): Command {
  const program = frame(context);
  add(program, CommandGroup.project, [initCommand(context), addCommand(context), migrateCommand(context)]);
  add(program, CommandGroup.develop, [
    devCommand(context),
    runCommand(context),
    exploreCommand(context),
    compileCommand(context),
    generateCommand(context),
    doctorCommand(context),
  ]);
  add(program, CommandGroup.cluster, [
    installCommand(context),
    uninstallCommand(context),
    deployCommand(context),
    undeployCommand(context),
    migrateStorageCommand(context),
  ]);
  add(program, CommandGroup.ship, [buildCommand(context), diffCommand(context)]);
  add(program, CommandGroup.other, [completionCommand(context), helpCommand(program)]);
  return program;
}

function add(program: Command, group: string, commands: readonly Command[]): void {
  for (const command of commands) {
    program.addCommand(inherited(command.helpGroup(group), program));
  }
}
/** Copies the settings and the common options of the program to a command and its subcommands, because `addCommand` does not do so. */
function inherited(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const option of commonOptions()) command.addOption(option.hideHelp());
  for (const child of command.commands) inherited(child, command);
  return command;
}

function frame(context: CommandContext): Command {
  const { output } = context;
  const program = new Command('kubewright')
    .description('Kubernetes operators in TypeScript: generate, develop and deploy them.')
    .usage('COMMAND [options]')
    .version(cliVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print the help with examples')
    .helpCommand(false)
    // Options after a command belong to the command, so that a command can have its own --version for the version of an API.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => output.text(text),
      writeErr: (text) => output.error(text.replace(/\n$/, '')),
      outputError: (text, write) => write(usageError(text)),
    })
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: true,
      subcommandTerm: termOf,
      subcommandDescription: summaryOf,
    })
    .showSuggestionAfterError(true)
    .exitOverride()
    .hook('preAction', (_program, action) => {
      context.handle(givenOptions(action));
    });
  for (const option of commonOptions()) program.addOption(option);
  return withExamples(program, [
    ['npm create operator@latest my-operator', 'create a project; run the other commands in its folder'],
    ['kubewright dev', 'run the operator, and restart it after every save'],
    ['kubewright generate', 'write the manifests; for more examples, run `kubewright generate --help`'],
    ['kubewright deploy', 'deploy the operator to a cluster'],
  ]);
}

/** Returns the name and arguments of a command for the list of commands. The list contains no options. */
function termOf(command: Command): string {
  const parts = command.registeredArguments.map((each) => {
    const name = `${each.name()}${each.variadic ? '...' : ''}`;
    return each.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...parts].join(' ');
}
/** Returns the description of a command for the list of commands. Shortens a long description to the first clause. */
function summaryOf(command: Command): string {
  const description = command.description();
  return description.length > LONG ? description.replace(/[,;:].*$/s, '') : description;
}

/** Returns the options that can precede or follow a command. */
function commonOptions(): readonly Option[] {
  return [
    new Option('--no-color', 'disable colors'),
    new Option('--verbose', 'print more details, such as the stack of an error'),
  ];
}

/** Returns the given options of a command and its parents. */
function givenOptions(command: Command): GlobalOptions {
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) !== 'default');
  return { ...(command.parent && givenOptions(command.parent)), ...Object.fromEntries(given) };
}
