import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { crdFor } from '@kubewright/api/metadata';
import { connect } from '@kubewright/runtime';
import { ApiServerProcess } from './api-server-process.js';
import { type ExampleArguments, examplesFolder } from './arguments.js';
import type { ProgramsModule } from './example-module.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs the programs of an example, or the one that was asked for, on an embedded API server; the exit code is that of the first that failed. */
export async function runPrograms(example: ProgramsModule, args: ExampleArguments): Promise<number> {
  const { name, program, port } = args;
  const { programs, kinds = [] } = example;
  if (program !== undefined && !programs.includes(program)) {
    throw new Error(`${name} has no program '${program}': say one of ${programs.join(', ')}, or none for all`);
  }
  const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
  await using server = await ApiServerProcess.start(port, say);
  const { connection, kubeconfig, pid, url } = server;
  say(`${name} runs on an embedded API server at ${url}, which is process ${pid}. Look at it from another terminal:

  export KUBECONFIG=${kubeconfig}
`);
  await using cluster = await connect({ connection });
  for (const kind of kinds) await cluster.client.create(crdFor(kind));
  for (const each of program === undefined ? programs : [program]) {
    say(`─── ${each}`);
    const ended = await runProgram(`${name}/dist/${each}.js`, { kubeconfig, once: args.once });
    if (ended !== 0) return ended === 'stopped' ? 0 : ended;
    say('');
  }
  return 0;
}

/** Its exit code, or whether it ended since we were asked to stop. */
async function runProgram(
  path: string,
  { kubeconfig, once: isOnce }: { readonly kubeconfig: string; readonly once: boolean },
): Promise<number | 'stopped'> {
  const program = fileURLToPath(new URL(path, examplesFolder));
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = spawn(process.execPath, [program, ...(isOnce ? ['--once'] : [])], { env, stdio: 'inherit' });
  let stopped = false;
  const stop = (signal: NodeJS.Signals): void => {
    stopped = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const [code] = (await once(child, 'close')) as [number | null];
  for (const signal of SIGNALS) process.off(signal, stop);
  return stopped ? 'stopped' : (code ?? 1);
}
