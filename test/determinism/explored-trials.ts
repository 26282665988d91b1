import type { KindRef } from '@kubewright/api';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { randomNumbers, writeNameText } from '@kubewright/testing';
import { ForkedTrials, runTrial, type Step, type Trial, type TrialResult } from '@kubewright/testing/internal';
import { recordTrace } from './trace.js';

/** The examples whose trials are compared. */
export const exploredExamples = { 'virtual-machine': virtualMachine, foo } as const;

/** The maximum number of steps after the first declaration. */
const MOST_STEPS = 3;

/**
 * Runs a random history of an example, and the same history with a crash: first in new worlds, and then in the world of earlier trials.
 * There, also runs the history with a late change. Returns the bytes of all requests, responses and events, and the results, one line each.
 */
export async function exploredTrials(name: keyof typeof exploredExamples, seed: number): Promise<readonly string[]> {
  const { kinds, controllers, samples } = exploredExamples[name];
  const [kind] = kinds as readonly KindRef[];
  if (kind === undefined) throw new RangeError(`the example ${name} has no kind`);
  const random = randomNumbers(seed);
  const lines: string[] = [];
  const traces: (readonly string[])[] = [];
  const conditions = { onServer: (server: Parameters<typeof recordTrace>[0]) => void traces.push(recordTrace(server)) };
  const plain: Trial = { kind, steps: stepsOf(samples, random) };
  const result = await runTrial({ kinds, controllers }, plain, conditions);
  const writes = result.observations.flatMap((each) => each.writes);
  const write = writes[Math.floor(random() * writes.length)];
  const crash: Trial = {
    ...plain,
    ...(write && { faults: [{ kind: 'crash', at: 'after', write: writeNameText(write) }] }),
  };
  lines.push(textOf(result), textOf(await runTrial({ kinds, controllers }, crash, conditions)));
  await using forked = new ForkedTrials({ kinds, controllers }, conditions);
  for (const trial of [plain, crash, plain, crash]) lines.push(textOf(await forked.run(trial, { world: 'forked' })));
  const recorded = await forked.run(plain, { recordsChanges: true, world: 'whole' });
  const changes = recorded.points?.changes ?? [];
  const change = changes[Math.floor(random() * changes.length)];
  const late: Trial = {
    ...plain,
    ...(change !== undefined && { faults: [{ kind: 'event', change, effect: 'held' }] }),
  };
  lines.push(textOf(recorded), textOf(await forked.run(late, { world: 'forked' })));
  return [...lines, ...traces.flat()];
}

function stepsOf(samples: readonly { readonly spec: unknown }[], random: () => number): readonly Step[] {
  const declare = (): Step => {
    const sample = samples[Math.floor(random() * samples.length)];
    return { action: 'declare', spec: sample?.spec, ...(random() < 0.25 && { immediately: true }) };
  };
  const next = (): readonly Step[] => {
    const drawn = random();
    if (drawn < 0.5) return [declare()];
    if (drawn < 0.7) return [{ action: 'stop' }, declare(), { action: 'start' }];
    return [drawn < 0.85 ? { action: 'restart' } : { action: 'delete' }];
  };
  return [declare(), ...Array.from({ length: 1 + Math.floor(random() * MOST_STEPS) }, next).flat()];
}

/** Omits the objects: the port of the server, which they contain, is not part of the exchanged bytes. */
function textOf({ observations, ...result }: TrialResult): string {
  const plain = observations.map(({ state, objects: _objects, copies: _copies, ...observation }) => ({
    ...observation,
    state: [...(state ?? [])],
  }));
  return JSON.stringify({ ...result, initial: [...result.initial], observations: plain });
}
