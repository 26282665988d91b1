#!/usr/bin/env node
import { runCreateOperator } from './command/run-create-operator.js';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

process.exitCode = await runCreateOperator(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  interactive: process.stdin.isTTY && process.stdout.isTTY && (process.env['CI'] ?? '') === '',
  line: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
  signal: stopping.signal,
});
