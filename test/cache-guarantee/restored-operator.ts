import assert from 'node:assert/strict';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, type Connection, Controller, Logger, Manager, type Reconciler, Result } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

const NAMESPACE = 'restored';
const POLL_MS = 50;
/** Maximum time in which a cache recovers from a restore. */
const RECOVERY_LIMIT_MS = 60_000;
/** Number of changes between the backup and the restore, more than a server writes by itself at startup. */
const CHANGES = 300;

/** A server that can be restored to an earlier state. */
export interface RestorableServer {
  readonly connection: Connection;
  backUp(): Promise<void>;
  /** Restores the state of `backUp` and resolves when the server responds again at the same address. */
  restore(): Promise<void>;
}

/** The observed behavior of the operator of a restored server. */
export interface RestoredOperator {
  /** Milliseconds from the server's first response after the restore until the operator has processed the restored state. */
  readonly recoveryMs: number;
  /** For each restore that the operator logged: the resourceVersions before and after the restore. */
  readonly lines: readonly (readonly [before: number, now: number])[];
}

/**
 * Runs an operator that copies ConfigMaps to a system outside of the cluster, and restores the server to an earlier state. Then waits until
 * the cache and the copies match the restored state and the operator has copied a new change.
 */
export async function restoreWhileOperated(server: RestorableServer): Promise<RestoredOperator> {
  const transport = new Transport(server.connection);
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
  const write = (name: string, desired: string): object => ({
    metadata: { name, labels: { copied: 'yes' } },
    data: { desired },
  });
  const create = (name: string, desired: string) =>
    transport.request({ method: 'POST', path, body: write(name, desired) });
  const edit = (name: string, desired: string) =>
    transport.request({ method: 'PUT', path: `${path}/${name}`, body: write(name, desired) });
  await transport.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: NAMESPACE } } });
  await create('a', 'first');
  await create('b', 'first');
  const { manager, logger, copies, listed } = operator(server.connection);
  await manager.start();
  try {
    await until(() => isEqual(copies, { a: 'first', b: 'first' }));
    await server.backUp();
    await until(() =>
      edit('a', 'second').then(
        () => true,
        () => false,
      ),
    );
    await transport.request({ method: 'DELETE', path: `${path}/b` });
    for (let change = 0; change < CHANGES; change++) await edit('a', `change ${change}`);
    await create('lost', 'second');
    await until(() => copies.get('a') === `change ${CHANGES - 1}` && copies.has('lost'));
    await server.restore();
    const answeredMs = performance.now();
    await until(async () => isEqual(await listed(), { a: 'first', b: 'first' }));
    await until(() => copies.get('a') === 'first');
    const recoveryMs = performance.now() - answeredMs;
    assert.ok(recoveryMs < RECOVERY_LIMIT_MS, `recovered after ${Math.round(recoveryMs)} ms`);
    await edit('b', 'third');
    await until(() => copies.get('b') === 'third');
    return { recoveryMs, lines: logger.restores };
  } finally {
    await manager.stop();
    await transport.close();
  }
}

interface Operator {
  readonly manager: Manager;
  readonly logger: RestoreLines;
  /** The copied values, by name. */
  readonly copies: ReadonlyMap<string, string>;
  /** Lists the objects in the cache of the operator. */
  readonly listed: () => Promise<ReadonlyMap<string, string>>;
}

function operator(connection: Connection): Operator {
  const copies = new Map<string, string>();
  let cached: Client | undefined;

  @Controller({ for: ConfigMap })
  class CopyController implements Reconciler<ConfigMap> {
    constructor(client: Client) {
      cached = client;
    }
    reconcile({ metadata, data = {} }: ConfigMap): Promise<Result> {
      if (metadata.labels?.['copied'] === 'yes') copies.set(metadata.name, data['desired'] ?? '');
      return Promise.resolve(Result.done());
    }
  }

  const logger = new RestoreLines();
  const manager = new Manager({ connection, namespaces: [NAMESPACE], logger, signals: false }).add(CopyController);
  const listed = async (): Promise<ReadonlyMap<string, string>> => {
    assert.ok(cached);
    const objects = await cached.list(ConfigMap, { namespace: NAMESPACE });
    const copied = objects.filter(({ metadata }) => metadata.labels?.['copied'] === 'yes');
    return new Map(copied.map(({ metadata, data = {} }) => [metadata.name, data['desired'] ?? '']));
  };
  return { manager, logger, copies, listed };
}

/** Records the log lines that report a restore. */
class RestoreLines extends Logger {
  readonly restores: (readonly [before: number, now: number])[] = [];
  override debug(): void {}
  override info(): void {}
  override warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (message.includes('API server returned to an earlier state'))
      this.restores.push([Number(fields['before']), Number(fields['now'])]);
  }
  override error(): void {}
  override with(): Logger {
    return this;
  }
}

function isEqual(found: ReadonlyMap<string, string>, expected: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(expected);
  return found.size === entries.length && entries.every(([name, value]) => found.get(name) === value);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + HANG_LIMIT_MS;
  while (!(await condition())) {
    assert.ok(
      performance.now() < endMs,
      `after ${HANG_LIMIT_MS / 1000} s the condition is still false: ${String(condition)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
