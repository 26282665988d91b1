import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ignoreAlreadyExists } from '@kubewright/api/errors';
import { Client, Controller, Logger, type Reconciler, Result } from '@kubewright/runtime';
import { TestEnvironment } from '../test-environment.js';
import { NetworkProxy } from './network-proxy.js';

const OBJECTS = 100;

class LampSpec {
  @Field.int32() watts!: number;
}
class LampStatus {
  @Field.int32({ optional: true }) checks?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Lamp extends CustomResource(LampSpec, LampStatus) {}

let failures = 0;
/** The objects that were reconciled with success since this set was cleared. */
const reconciled = new Set<string>();

@Controller({ for: Lamp, concurrency: 20 })
class LampController implements Reconciler<Lamp> {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }
  async reconcile(lamp: Lamp): Promise<Result> {
    try {
      // A request that is not repeated when its connection breaks.
      await ignoreAlreadyExists(
        this.#client.create(new Lamp({ metadata: { name: 'lamp-0', namespace: 'default' }, spec: { watts: 0 } })),
      );
    } catch (error) {
      failures++;
      throw error;
    }
    reconciled.add(lamp.metadata.name);
    return Result.requeueAfter('50ms');
  }
}

class CountedLines extends Logger {
  readonly lines: string[] = [];
  override debug(): void {}
  override info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (fields['outage'] !== undefined) this.lines.push(`outage ${String(fields['outage'])}`);
    else if (message.includes('again')) this.lines.push(message);
  }
  override warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push(fields['outage'] === undefined ? message : `outage ${String(fields['outage'])}`);
  }
  override error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.warn(message, fields);
  }
  override with(): Logger {
    return this;
  }
}

test('an outage of the API server is two lines in the log, however many objects are in work', async () => {
  await using env = await TestEnvironment.start({
    kinds: [Lamp],
    objects: Array.from({ length: OBJECTS }, (_, at) => {
      return new Lamp({ metadata: { name: `lamp-${at}`, namespace: 'default' }, spec: { watts: at } });
    }),
  });
  await using network = await NetworkProxy.open(env.connection);
  const logger = new CountedLines();
  const manager = env.manager({
    connection: network.connection,
    logger,
  });
  manager.add(LampController);
  const running = manager.start();
  try {
    await until(() => reconciled.size === OBJECTS);
    logger.lines.length = 0;
    network.leadTo({ ...env.connection, server: 'https://127.0.0.1:1' });
    network.cut();
    await until(() => failures > 2 * OBJECTS && logger.lines.length > 0);
    assert.deepEqual(logger.lines, ['outage begin']);
    network.leadTo(env.connection);
    reconciled.clear();
    await until(() => reconciled.size === OBJECTS);
    assert.deepEqual(logger.lines, ['outage begin', 'outage end']);
  } finally {
    await manager.stop();
    await running;
  }
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
