import { setImmediate as turn } from 'node:timers/promises';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import type { Manager } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { type Declarations, drawDeclarations, drawNamedWatches } from './declarations.js';
import { RandomValues } from './random-values.js';
import { guardedController } from './guarded-controller.js';
import { drawInitialObjects, drawStep } from './history.js';
import { LaggingWatches } from './lagging-watches.js';
import { Observer } from './observer.js';
import { Alpha, Beta, childName, type Parent, type ParentKind } from './parents.js';
import { isOfTeam, matchesSelector, resultOf, type View } from './view.js';
import { newestVersion, Witness } from './witness.js';

/** The result of one history. */
export interface HistoryReport {
  readonly seed: number;
  readonly declarations: Readonly<Record<string, Declarations>>;
  /** The maximum number of referenced objects of a kind that are watched individually. */
  readonly maxNamedWatches: number;
  readonly steps: readonly string[];
  /** Number of checked reads. */
  readonly reads: number;
  /** Violations of the cache guarantee; empty if the guarantee holds. */
  readonly violations: readonly string[];
}

interface Side {
  readonly kind: ParentKind;
  readonly of: Declarations;
  readonly observer: Observer;
}

/** Runs two controllers with random declarations against a random history of writes, and checks every read and the final state. */
export async function runHistory(seed: number): Promise<HistoryReport> {
  const isNarrow = new RandomValues(`narrow ${seed}`).chance(0.4);
  const sides: readonly Side[] = [Alpha, Beta].map((kind) => ({
    kind,
    of: drawDeclarations(new RandomValues(`declarations ${seed} ${kind.name}`), isNarrow),
    observer: new Observer(kind.name),
  }));
  const maxNamedWatches = drawNamedWatches(new RandomValues(`named watches ${seed}`));
  const steps: string[] = [];
  const faults = new LaggingWatches(String(seed));
  await using env = await TestEnvironment.start({
    kinds: [Alpha, Beta],
    objects: drawInitialObjects(new RandomValues(`objects ${seed}`)),
    faults,
  });
  const since = await newestVersion(env.client, ConfigMap);
  for (const { observer } of sides) observer.since = since;
  const manager = env.manager({ cache: { maxNamedWatches } });
  for (const { kind, of, observer } of sides) manager.add(guardedController(kind, of, observer));
  await manager.start();
  const violations = await violationsOf(async () => {
    await writeHistory(env, new RandomValues(`history ${seed}`), steps);
    await env.settled();
    return unconverged(env, sides);
  });
  faults.end();
  violations.push(
    ...sides.flatMap(({ observer }) => observer.rejected),
    ...(await storedTwice(manager, env)),
    ...(await contradictions(env, sides, since)),
  );
  const reads = sides.reduce((sum, { observer }) => sum + observer.reads.length, 0);
  // Releases the recorded reads, which refer to the manager. The service container keeps each controller class, and thus its observer.
  for (const { observer } of sides) observer.reads.length = 0;
  const declarations = Object.fromEntries(sides.map(({ kind, of }) => [kind.name, of]));
  return { seed, declarations, maxNamedWatches, steps, reads, violations };
}

/** Returns the violations that `work` finds. A history that does not settle also violates the guarantee. */
async function violationsOf(work: () => Promise<readonly string[]>): Promise<string[]> {
  try {
    return [...(await work())];
  } catch (error) {
    if (error instanceof KubewrightError && error.code === 'NOT_SETTLED') return [error.message];
    throw error;
  }
}

/** Writes 10 to 25 times. Some writes run concurrently, and some wait until everything has settled. */
async function writeHistory(env: TestEnvironment, random: RandomValues, texts: string[]): Promise<void> {
  const running: Promise<unknown>[] = [];
  const count = 10 + random.below(16);
  for (let at = 0; at < count; at += 1) {
    const step = drawStep(random, at);
    texts.push(step.text);
    const run = step.run(env.client);
    if (random.chance(0.3)) running.push(run);
    else await run;
    for (let turns = random.below(6); turns > 0; turns -= 1) await turn();
    if (random.chance(0.1)) await env.settled();
  }
  await Promise.all(running);
}

/** Returns the parents whose status or child does not match the live state of the cluster. */
async function unconverged(env: TestEnvironment, sides: readonly Side[]): Promise<readonly string[]> {
  const view = liveView(env);
  const found: string[] = [];
  for (const { kind, of } of sides) {
    for (const parent of await env.client.list<Parent>(kind)) {
      const { namespace = '', name } = parent.metadata;
      const where = `${kind.name} ${namespace}/${name}`;
      const expected = await resultOf(parent, of, view);
      if (parent.status?.seen !== expected) found.push(`${where} has "${parent.status?.seen}", expected "${expected}"`);
      if (of.owns === 'none') continue;
      const child = await env.client.find(ConfigMap, { namespace, name: childName(kind.name, name) });
      if (child?.data?.seen !== expected)
        found.push(`child of ${where} has "${child?.data?.seen}", expected "${expected}"`);
    }
  }
  return found;
}

function liveView({ client }: TestEnvironment): View {
  return {
    configMap: (namespace, name) => client.find(ConfigMap, { namespace, name }),
    configMaps: async (namespace, selector) =>
      (await client.list(ConfigMap, { namespace })).filter((each) => matchesSelector(each, selector)),
    metadata: async (namespace, selector): Promise<readonly KubeObject[]> =>
      (await client.list(ConfigMap, { namespace })).filter((each) => matchesSelector(each, selector)),
    namespacesOfTeam: async (): Promise<readonly KubeObject[]> => (await client.list(Namespace)).filter(isOfTeam),
  };
}

/** Reports the kinds that have more than one informer for whole objects, or more objects in memory than in the cluster. */
async function storedTwice(manager: Manager, { client }: TestEnvironment): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of [ConfigMap, Namespace, Alpha, Beta]) {
    const informers = manager.cache.informers().filter((each) => each.kind === kind.name && !each.metadataOnly);
    const stored = informers.reduce((sum, { size }) => sum + size, 0);
    const live = (await client.list<KubeObject>(kind)).length;
    if (informers.length > 1) found.push(`${informers.length} informers for ${kind.name}`);
    if (stored > live) found.push(`${kind.name}: the cache contains ${stored} objects, the cluster contains ${live}`);
  }
  return found;
}

/** Returns the reads that show a state older than a previously delivered event, or that report an existing object as absent. */
async function contradictions(env: TestEnvironment, sides: readonly Side[], since: string): Promise<readonly string[]> {
  const { client } = env;
  // Copies the reads first: creating the last objects triggers further reconciles, whose reads are not checked.
  const reads = sides.flatMap(({ observer }) => observer.reads);
  const metadata = { namespace: 'default', name: 'last' };
  const witnesses = new Map<string, Witness>();
  for (const [kind, last] of [
    [ConfigMap, new ConfigMap({ metadata })],
    [Namespace, new Namespace({ metadata: { name: 'last' } })],
    [Alpha, new Alpha({ metadata, spec: { value: 'last' } })],
    [Beta, new Beta({ metadata, spec: { value: 'last' } })],
  ] as const) {
    witnesses.set(kind.name, await Witness.of(client, kind, { since, last: await client.create<KubeObject>(last) }));
  }
  return reads.flatMap((read) => {
    const witness = witnesses.get(read.kind);
    if (witness === undefined) throw new Error(`no recorded states of the kind ${read.kind}`);
    return witness.contradiction(read) ?? [];
  });
}
