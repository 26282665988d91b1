import { CommanderError } from 'commander';
import type { CommandContext } from './command-context.js';
import { ExitCode, exitCodeOf } from './exit-codes.js';
import { programOf } from './program.js';
import { reportError } from './report-error.js';

/**
 * Runs the CLI and returns the exit code. Does not throw: prints the message of an error, and the stack with `--verbose`. Prints nothing if
 * a signal interrupted the command.
 * @param args the arguments after the name of the program, as in `process.argv.slice(2)`
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await programOf(context).parseAsync([...args], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    if (context.signal.aborted) return ExitCode.interrupted;
    reportError(error, context);
    return exitCodeOf(error);
  }
}
