import { CommandContext } from './command-context.js';
import { ExitCode } from './exit-codes.js';
import { runCommandLine } from './run-command-line.js';
import { whenScriptShellEnds } from './script-shell.js';
import { reportError } from './report-error.js';

/** Runs the CLI with the arguments of this process, and sets the exit code. */
export async function runProcess(): Promise<void> {
  const context = new CommandContext({
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    terminal: process.stdin.isTTY && process.stdout.isTTY,
    signal: stopSignal(),
  });
  // EPIPE is not an error: the reader of the pipe, such as head, has closed the pipe.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.on('uncaughtException', (error) => {
    reportError(error, context);
    process.exit(ExitCode.defect);
  });
  process.exitCode = await runCommandLine(process.argv.slice(2), context);
}

/** Returns a signal that aborts when the process receives SIGINT or SIGTERM. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends the process immediately.
      if (stopping.signal.aborted) process.exit(ExitCode.interrupted);
      stopping.abort();
    });
  }
  whenScriptShellEnds(process.env, () => stopping.abort());
  return stopping.signal;
}
