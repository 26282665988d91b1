import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { generateCrds } from '@kubewright/api/crd';
import { ignoreAlreadyExists } from '@kubewright/api/errors';
import { ApiServer } from '@kubewright/apiserver';
import {
  Client,
  type Connection,
  connect,
  Controller,
  Logger,
  Manager,
  type Reconciler,
  Result,
} from '@kubewright/runtime';
import { ReservedPorts } from '../control-plane/reserved-ports.js';
import { TestEnvironment } from '../test-environment.js';
import { NetworkProxy } from './network-proxy.js';

const OBJECTS = 800;

class LampSpec {
  @Field.int32() watts!: number;
}
class LampStatus {
  @Field.int32({ optional: true }) checks?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Lamp extends CustomResource(LampSpec, LampStatus) {}

let failures = 0;
/** The objects that were reconciled successfully since this set was cleared. */
const reconciled = new Set<string>();

@Controller({ for: Lamp, concurrency: 20 })
class LampController implements Reconciler<Lamp> {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }
  async reconcile(lamp: Lamp): Promise<Result> {
    try {
      // The client does not retry this request when its connection breaks.
      await ignoreAlreadyExists(this.#client.create(newLamp(0)));
    } catch (error) {
      failures++;
      throw error;
    }
    reconciled.add(lamp.metadata.name);
    return Result.requeueAfter('1s');
  }
}

function newLamp(at: number): Lamp {
  return new Lamp({ metadata: { name: `lamp-${at}`, namespace: 'default' }, spec: { watts: at } });
}

/** Collects warnings, errors and outage lines, and counts failed reconciles at level debug. */
class ReadLines extends Logger {
  lines: string[] = [];
  failedReconciles = 0;
  override debug(message: string): void {
    if (message.startsWith('reconcile failed')) this.failedReconciles++;
  }
  override info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (fields['outage'] !== undefined || message.includes('again')) this.warn(message, fields);
  }
  override warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push(inspect({ message, ...fields }));
  }
  override error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.warn(message, fields);
  }
  override with(): Logger {
    return this;
  }
  /** Returns the names of the outage lines, and all other lines unchanged. Omits outage lines that are repeated each minute. */
  get reported(): readonly string[] {
    return this.lines.map((line) => /outage: '(\w+)'/.exec(line)?.[1] ?? line).filter((line) => line !== 'count');
  }
}

/** Checks that an outage during the reconciles of all objects logs two lines. */
async function checkOutage(
  connection: Connection,
  outage: { begin(): Promise<void> | void; end(): Promise<void> | void },
): Promise<void> {
  const logger = new ReadLines();
  const manager = new Manager({ connection, logger, signals: false }).add(LampController);
  reconciled.clear();
  const running = manager.start();
  try {
    await until(() => reconciled.size === OBJECTS);
    logger.lines = [];
    [failures, logger.failedReconciles] = [0, 0];
    await outage.begin();
    await until(() => failures > OBJECTS && logger.lines.length > 0);
    assert.deepEqual(logger.reported, ['begin']);
    await outage.end();
    reconciled.clear();
    await until(() => reconciled.size === OBJECTS);
    assert.deepEqual(logger.reported, ['begin', 'end']);
    assert.ok(
      logger.failedReconciles > OBJECTS,
      `${logger.failedReconciles} failed reconciles are logged at level debug`,
    );
    for (const line of logger.lines) assert.ok(line.length < 1000, `${line.length} characters: ${line.slice(0, 2000)}`);
  } finally {
    await manager.stop();
    await running;
  }
}

test(`a manager of ${OBJECTS} active objects logs two lines for broken and refused connections`, async () => {
  await using env = await TestEnvironment.start({
    kinds: [Lamp],
    objects: Array.from({ length: OBJECTS }, (_, at) => newLamp(at)),
  });
  await using network = await NetworkProxy.open(env.connection);
  await checkOutage(network.connection, {
    begin: () => {
      network.leadTo({ ...env.connection, server: 'https://127.0.0.1:1' });
      network.cut();
    },
    end: () => network.leadTo(env.connection),
  });
});

test(`a manager of ${OBJECTS} active objects logs two lines for a temporary stop of the API server`, async () => {
  const data = mkdtempSync(join(tmpdir(), 'kubewright-outage-'));
  await using reserved = await ReservedPorts.take(1);
  const [port = 0] = reserved.ports;
  let server = await ApiServer.start({ data, port });
  const connection = { server: server.url, ca: server.certificateAuthority, token: server.token };
  try {
    {
      await using cluster = await connect({ connection, logger: new ReadLines() });
      for (const definition of generateCrds([Lamp]).definitions) await cluster.client.apply(definition);
      await Promise.all(Array.from({ length: OBJECTS }, (_, at) => cluster.client.create(newLamp(at))));
      await checkOutage(connection, {
        begin: () => server.stop(),
        end: async () => {
          server = await ApiServer.start({ data, port });
        },
      });
    }
  } finally {
    await server.stop();
    rmSync(data, { recursive: true });
  }
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
