import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  Client,
  Controller,
  Logger,
  Manager,
  type ReconcileContext,
  type Reconciler,
  Result,
  TerminalError,
} from '@kubewright/runtime';
import { container, inject, injectable, Lifecycle, scoped, singleton } from 'tsyringe';
import { TestEnvironment } from './test-environment.js';

const NAMESPACE = { namespace: 'default' };

@singleton()
class Counter {
  opened = 0;
  readonly closed: string[] = [];
}
@scoped(Lifecycle.ContainerScoped)
class Session {
  readonly number: number;
  constructor(
    private readonly counter: Counter,
    readonly log: Logger,
  ) {
    this.number = ++counter.opened;
  }
  dispose(): void {
    this.counter.closed.push(`session ${this.number}`);
  }
}
@injectable()
class Journal {
  constructor(
    readonly session: Session,
    readonly client: Client,
    @inject('PREFIX') readonly prefix: string,
  ) {}
}
const PROBES: string[] = [];

@Controller({ for: ConfigMap, scope: 'reconcile', reconcileCondition: false, maxAttempts: 1 })
class ScopedController implements Reconciler<ConfigMap> {
  constructor(
    private readonly session: Session,
    private readonly journal: Journal,
  ) {}
  async reconcile(map: ConfigMap, { log }: ReconcileContext): Promise<Result> {
    const { name } = map.metadata;
    const isOne = this.session === this.journal.session && this.session.log === log;
    PROBES.push(`${this.journal.prefix} ${name}: session ${this.session.number}${isOne ? '' : ' and another'}`);
    if (name === 'broken') throw new TerminalError('refused');
    await this.journal.client.get(ConfigMap, map.metadata);
    return Result.done();
  }
  async onError(_: ConfigMap, error: unknown): Promise<void> {
    PROBES.push(`failed in session ${this.session.number}: ${(error as Error).message}`);
  }
}

test('Manager constructs a scoped reconciler and its tsyringe services for each reconcile, and disposes of them', async () => {
  await using env = await TestEnvironment.start();
  const services = container.createChildContainer();
  services.register('PREFIX', { useValue: 'reconciled' });
  const counter = services.resolve(Counter);
  const manager = env.manager({ container: services }).add(ScopedController);
  const create = async (name: string): Promise<void> => {
    await env.client.create(new ConfigMap({ metadata: { name, ...NAMESPACE } }));
    await env.settled();
  };
  await manager.start();
  await env.settled();
  const before = counter.opened;
  PROBES.splice(0);
  await create('a');
  await create('broken');
  assert.deepEqual(PROBES, [
    `reconciled a: session ${before + 1}`,
    `reconciled broken: session ${before + 2}`,
    `failed in session ${before + 3}: refused`,
  ]);
  assert.deepEqual(
    counter.closed.slice(before),
    [before + 1, before + 2, before + 3].map((at) => `session ${at}`),
  );
});

test('Manager rejects an instance of a controller class with the scope reconcile', () => {
  const manager = new Manager({ signals: false });
  const controller = new ScopedController({} as Session, {} as Journal);
  assert.throws(() => manager.add(controller), { code: 'INVALID_CONTROLLER', message: /requires a class/ });
});

test('start fails and names the parameter if the container lacks a service of a scoped reconciler', async () => {
  await using env = await TestEnvironment.start();
  await assert.rejects(env.manager().add(ScopedController).start(), {
    code: 'NOT_PROVIDED',
    message: /parameter 2 \('prefix'\) of the constructor of Journal takes 'PREFIX'.*new Manager\(\{ container \}\)/,
  });
});

test('Manager rejects a container that is not a tsyringe container', () => {
  assert.throws(() => new Manager({ container: {} as never }), { code: 'INVALID_MANAGER', message: /tsyringe's/ });
});
