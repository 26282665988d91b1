import { messageOf } from '@kubewright/api/errors';
import { CommanderError } from 'commander';
import type { CommandContext } from './command-context.js';
import { ExitCode, exitCodeOf } from './exit-codes.js';
import { programOf } from './program.js';

/**
 * Does what the arguments say, without the names of Node and of the program, and gives the exit code. It never throws: what goes wrong
 * is told in one line, and with `--verbose` by its stack.
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  try {
    await programOf(context).parseAsync([...args], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    tell(error, context);
    return exitCodeOf(error);
  }
}

function tell(error: unknown, { output, verbose }: CommandContext): void {
  const { red, dim } = output.errorStyles;
  const isDefect = exitCodeOf(error) === ExitCode.defect;
  const message = isDefect ? `something that should not happen: ${messageOf(error)}` : messageOf(error);
  output.error(`${red('error:')} ${message}`);
  if (verbose && error instanceof Error) output.error(dim(stackOf(error)));
  else if (isDefect) output.error(dim('call it again with --verbose to see where, and please report it'));
}
/** The stack of an error and of what led to it. */
function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}
