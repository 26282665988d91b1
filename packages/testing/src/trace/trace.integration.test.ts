import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { FakeClock } from '../fake-clock.js';
import { TestEnvironment } from '../test-environment.js';
import { type TraceEntry, traceText } from './trace-entry.js';

class MachineSpec {
  @Field.string() image!: string;
}
class MachineStatus {
  @Field.string({ optional: true }) image?: string;
}
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(MachineSpec, MachineStatus) {}

@Controller({ for: Machine, reconcileCondition: false })
class MachineController implements Reconciler<Machine> {
  constructor(private readonly client: Client) {}

  async reconcile(machine: Machine): Promise<Result> {
    await this.client.patchStatus(machine, { image: machine.spec.image }, { observed: false });
    return Result.requeueAfter('1h');
  }
}

const machine = new Machine({ metadata: { name: 'a', namespace: 'default' }, spec: { image: 'v1' } });

/** Returns the entries of a scenario that concern machines. The first write of the status gets no response. */
async function traced(): Promise<readonly TraceEntry[]> {
  let isCut = false;
  await using env = await TestEnvironment.start({
    kinds: [Machine],
    clock: new FakeClock(),
    trace: true,
    faults: {
      onRequest: ({ subresource }) => {
        if (isCut || subresource !== 'status') return undefined;
        isCut = true;
        return { kind: 'cut', after: 'write' };
      },
    },
  });
  const manager = env.manager().add(MachineController);
  await manager.start();
  await env.settled();
  await env.client.create(machine);
  await env.settled();
  return env.trace.filter(({ kind }) => kind === 'Machine' || kind === 'machines');
}

test('the trace of an environment contains its requests, faults, changes and reconciles without generated values', async () => {
  assert.equal(
    traceText(await traced()),
    `0 ms: request watch machines/* (manager-1)
0 ms: request create Machine/default/a (env)
0 ms: change ADDED Machine/default/a
0 ms: reconcile machine Machine default/a started: added
0 ms: request patch Machine/default/a status (manager-1, reconcile machine default/a), fault {"kind":"cut","after":"write"}
0 ms: change MODIFIED Machine/default/a status
0 ms: reconcile machine Machine default/a ended: error
0 ms: reconcile machine Machine default/a started: modified status
0 ms: reconcile machine Machine default/a ended: requeue_after
`,
  );
});

test('the trace of the same scenario is the same', async () => {
  assert.deepEqual(await traced(), await traced());
});

test('the trace replaces the generated parts of names, and is empty without the option', async () => {
  await using env = await TestEnvironment.start({ trace: true });
  await env.client.create(new ConfigMap({ metadata: { generateName: 'x-', namespace: 'default' } }));
  const lines = traceText(env.trace).split('\n');
  assert.ok(lines.includes('request create ConfigMap/default/x-* (env)'), lines.join('\n'));
  assert.ok(lines.includes('change ADDED ConfigMap/default/x-*'), lines.join('\n'));

  await using untraced = await TestEnvironment.start();
  await untraced.client.create(new ConfigMap({ metadata: { name: 'x', namespace: 'default' } }));
  assert.deepEqual(untraced.trace, []);
});
