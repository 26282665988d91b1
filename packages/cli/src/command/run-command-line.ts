import { CommanderError } from 'commander';
import type { CommandContext } from './command-context.js';
import { ExitCode, exitCodeOf } from './exit-codes.js';
import { programOf } from './program.js';
import { tellError } from './tell-error.js';

/**
 * Does what the arguments say, without the names of Node and of the program, and gives the exit code. It never throws: what goes wrong
 * is told in one line, and with `--verbose` by its stack.
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await programOf(context).parseAsync([...args], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    if (context.signal.aborted) return ExitCode.interrupted;
    tellError(error, context);
    return exitCodeOf(error);
  }
}
