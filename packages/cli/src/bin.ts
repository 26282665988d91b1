#!/usr/bin/env node
import { CommandContext } from './command/command-context.js';
import { runCommandLine } from './command/run-command-line.js';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // Whoever asks a second time does not want to wait.
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  });
}
// A reader that has seen enough, such as head, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runCommandLine(
  process.argv.slice(2),
  new CommandContext({
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    terminal: process.stdin.isTTY && process.stdout.isTTY,
    signal: stopping.signal,
  }),
);
