import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { type Client, connect } from '@kubewright/runtime';
import { parse } from 'yaml';
import { ApiServerProcess } from './api-server-process.js';
import { type ExampleArguments, examplesFolder } from './arguments.js';
import type { ProgramSetup, ProgramsModule } from './example-module.js';
import { shellWord } from './shell-word.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs the requested program, or all programs of an example, on an embedded API server. Stops at the first failure. Returns the exit code.
 */
export async function runPrograms(example: ProgramsModule, args: ExampleArguments): Promise<number> {
  const { name, program, port } = args;
  const { programs } = example;
  if (program !== undefined && !programs.includes(program)) {
    throw new Error(
      `${name} has no program '${program}': use one of ${programs.join(', ')}, or omit the program to run all of them`,
    );
  }
  const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
  await using server = await ApiServerProcess.start(port, say);
  const { connection, kubeconfig, pid, url } = server;
  say(`${name} runs on an embedded API server at ${url}, process ${pid}. To inspect the cluster, run in another terminal:

  export KUBECONFIG=${shellWord(kubeconfig)}
`);
  await using cluster = await connect({ connection });
  await setUp(cluster.client, name, example);
  for (const each of program === undefined ? programs : [program]) {
    say(`─── ${each}`);
    const ended = await runProgram(`${name}/dist/${each}.js`, { kubeconfig, once: args.once });
    if (ended !== 0) return ended === 'stopped' ? 0 : ended;
    say('');
  }
  return 0;
}

/** Creates the kinds and objects that the programs need. */
async function setUp(client: Client, name: string, setup: ProgramSetup): Promise<void> {
  const { kinds = [], manifests = [], objects = [] } = setup;
  for (const kind of kinds) await client.create(crdFor(kind));
  for (const path of manifests) {
    const text = await readFile(new URL(`${name}/${path}`, examplesFolder), 'utf8');
    const object = parse(text) as KubeObject;
    const isDefinition = object.kind === 'CustomResourceDefinition';
    const metadata = isDefinition ? object.metadata : { namespace: 'default', ...object.metadata };
    await client.create({ ...object, metadata }, { fieldValidation: 'Strict' });
  }
  for (const object of objects) await client.create(object);
}

/** Runs a program. Returns the exit code, or 'stopped' if the program ended because this process received SIGINT or SIGTERM. */
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
