import { CommandContext, type CommandEnvironment } from '../command/command-context.js';
import { runCommandLine } from '../command/run-command-line.js';

/** The exit code and the output of a command. */
export interface RecordedRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, without a terminal, and returns the exit code and the output. */
export async function runRecorded(
  args: readonly string[],
  environment: Pick<CommandEnvironment, 'cwd'> & Partial<CommandEnvironment>,
): Promise<RecordedRun> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const context = new CommandContext({
    env: {},
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
    ...environment,
  });
  const exitCode = await runCommandLine(args, context);
  return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
}
