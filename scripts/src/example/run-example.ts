import { SystemClock } from '@kubewright/api/clock';
import { crdsFor } from '@kubewright/api/metadata';
import { type Cluster, connect, Manager } from '@kubewright/runtime';
import { RegisteredWebhooks } from '@kubewright/testing/internal';
import { ApiServerProcess } from './api-server-process.js';
import { type ExampleArguments, examplesFolder, parseExampleArguments } from './arguments.js';
import type { ExampleModule, ProgramsModule } from './example-module.js';
import { LiveView, nameOf } from './live-view.js';
import { runPrograms } from './run-programs.js';
import { shellWord } from './shell-word.js';

const ONCE_LIMIT_MS = 60_000;

/** Runs an example on an embedded API server, and returns the exit code. `args` are `NAME [PROGRAM] [--once] [--port N]`. */
export async function runExample(args: readonly string[]): Promise<number> {
  try {
    const parsed = parseExampleArguments(args);
    const example = (await import(new URL(`${parsed.name}/dist/example.js`, examplesFolder).href)) as
      | ExampleModule
      | ProgramsModule;
    if ('programs' in example) return await runPrograms(example, parsed);
    return await (parsed.program === undefined
      ? run(example, parsed)
      : runAlternative(example, parsed, parsed.program));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Runs one of the alternative programs of an example instead of the operator. */
function runAlternative(
  { alternatives = {} }: ExampleModule,
  args: ExampleArguments,
  program: string,
): Promise<number> {
  const setup = Object.hasOwn(alternatives, program) ? alternatives[program] : undefined;
  if (setup !== undefined) return runPrograms({ ...setup, programs: [program] }, args);
  const known = Object.keys(alternatives);
  const hint =
    known.length === 0
      ? `omit '${program}'`
      : `use one of ${known.join(', ')}, or omit the program to run the operator`;
  throw new Error(`${args.name} has no program '${program}': ${hint}`);
}

async function run(example: ExampleModule, { name, once, port }: ExampleArguments): Promise<number> {
  const crds = crdsFor(example.kinds);
  const view = new LiveView(crds);
  await using server = await ApiServerProcess.start(port, (sentence) => view.say(sentence));
  const { connection, kubeconfig, pid, url } = server;
  process.stdout.write(`${name} runs on an embedded API server at ${url}, process ${pid}. To inspect the cluster, run in another terminal:

  export KUBECONFIG=${shellWord(kubeconfig)}
  kubectl get ${crds[0]?.metadata.name ?? 'all'} -A -w

`);
  await using cluster = await connect({ connection, logger: view.logger });
  for (const object of [...crds, ...(example.prepared ?? [])]) await cluster.client.create(object);
  const { cache = {} } = example;
  const webhooks = new RegisteredWebhooks({
    client: cluster.client,
    clock: new SystemClock(),
    logger: view.logger,
    name,
    manager: (): Manager => manager,
  });
  await using manager: Manager = new Manager({
    connection,
    logger: view.logger,
    cache,
    webhooks: { server: webhooks },
  });
  await using _beside = await example.provide?.(manager, (sentence) => view.say(sentence));
  manager.add(...example.controllers, ...(example.webhooks ?? []));
  await manager.start();
  const limitMs = once ? ONCE_LIMIT_MS : undefined;
  const converged = await convergence({ example, cluster, view, limitMs, stopped: manager.stopped });
  if (converged) view.say(`all samples are ready${once ? '' : '; press Ctrl-C to stop'}`);
  if (once) {
    // Stops the manager before the external system, because the finalizers of the operator may need the system.
    await manager.stop();
    return converged ? 0 : 1;
  }
  await watchOn({ example, cluster, view, stopped: manager.stopped });
  return 0;
}

interface Convergence {
  readonly example: ExampleModule;
  readonly cluster: Cluster;
  readonly view: LiveView;
  readonly limitMs: number | undefined;
  readonly stopped: Promise<void>;
}

/**
 * Creates the samples, and prints every change until all samples are in the desired state. Returns false if the time limit is exceeded, or
 * if the operator stops first.
 */
async function convergence({ example, cluster, view, limitMs, stopped }: Convergence): Promise<boolean> {
  const stop = endedWith(stopped);
  const timer = limitMs === undefined ? undefined : setTimeout(() => stop.abort(), limitMs);
  const waiting = new Map(example.samples.map((sample) => [nameOf(sample), sample]));
  const [kind] = example.kinds;
  if (kind === undefined) throw new Error('the example exports no kinds');
  await using informer = await cluster.cache.informer(kind);
  for (const sample of example.samples) {
    await cluster.client.create(sample);
    view.say(`created ${sample.kind} ${nameOf(sample)}`);
  }
  for await (const change of informer.changes({ signal: stop.signal })) {
    if (change.type === 'deleted') continue;
    view.object(change.object);
    if (example.isConverged(change.object)) waiting.delete(nameOf(change.object));
    if (waiting.size === 0) break;
  }
  clearTimeout(timer);
  if (waiting.size > 0) {
    const limit = limitMs === undefined ? 'before the operator stopped' : `within ${limitMs / 1000} s`;
    view.say(`these samples have not converged ${limit}: ${[...waiting.keys()].join(', ')}`);
  }
  return waiting.size === 0;
}

/** Prints the changes of the samples until the operator stops. Rejects with the error of the operator, if there is one. */
async function watchOn({ example, cluster, view, stopped }: Omit<Convergence, 'limitMs'>): Promise<void> {
  const [kind] = example.kinds;
  if (kind === undefined) return stopped;
  await using informer = await cluster.cache.informer(kind);
  for await (const { type, object } of informer.changes({ signal: endedWith(stopped).signal })) {
    if (type === 'deleted') view.onDeleted(object);
    else view.object(object);
  }
  await stopped;
}

/** Returns an AbortController that is aborted when the operator stops, with or without an error. */
function endedWith(stopped: Promise<void>): AbortController {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  stopped.then(end, end);
  return ending;
}
