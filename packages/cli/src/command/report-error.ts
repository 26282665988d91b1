import { messageOf } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import type { CommandContext } from './command-context.js';
import { ExitCode, exitCodeOf } from './exit-codes.js';

/**
 * Prints the message of an error with masked secrets. With `--verbose`, also prints the stack. Otherwise, suggests `--verbose` for an
 * internal error.
 */
export function reportError(error: unknown, { output, verbose }: CommandContext): void {
  const { red, dim } = output.errorStyles;
  const isDefect = exitCodeOf(error) === ExitCode.defect;
  const text = maskText(messageOf(error));
  const message = isDefect ? `internal error: ${text}` : text;
  output.error(`${red('error:')} ${message}`);
  if (verbose && error instanceof Error) output.error(dim(maskText(stackOf(error))));
  else if (isDefect) output.error(dim('run the command again with --verbose, and report the output'));
}

/** Returns the stack of an error and of its causes. */
function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}
