import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  container as globalContainer,
  delay,
  type DependencyContainer,
  inject,
  injectable,
  injectAll,
  Lifecycle,
  scoped,
  singleton,
} from 'tsyringe';
import { Inject } from './injection.js';
import { ServiceContainer } from './service-container.js';
import { token } from './token.js';

const ZONE = Symbol('zone');
const REGION = token<string>('region');

@injectable()
class Store {}
@singleton()
class Shared {
  constructor(readonly store: Store) {}
}
@scoped(Lifecycle.ContainerScoped)
class Session {
  constructor(readonly shared: Shared) {}
}
@injectable()
class Backup {
  constructor(
    @inject('BUCKET') readonly bucket: string,
    @inject(ZONE) readonly zone: string,
    @injectAll('RULE') readonly rules: readonly string[],
    @inject('SPARE', { isOptional: true }) readonly spare: string | undefined,
    @Inject(REGION) readonly region: string,
    readonly session: Session,
    readonly shared: Shared,
  ) {}
}

/** Returns the container of a program with all services that `Backup` requests, except the service `without`. */
function programContainer(without?: string): DependencyContainer {
  const container = globalContainer.createChildContainer();
  const values: readonly (readonly [string | symbol, string])[] = [
    ['BUCKET', 'backups'],
    [ZONE, 'eu-1a'],
    ['RULE', 'daily'],
    ['RULE', 'weekly'],
  ];
  for (const [key, value] of values) if (key !== without) container.register(key, { useValue: value });
  return container;
}
async function containerOf(parent: DependencyContainer): Promise<ServiceContainer> {
  const container = await ServiceContainer.create(parent);
  container.provide(REGION, { value: 'eu-1' });
  return container;
}

test("constructs classes with tsyringe's own decorators from the container of the program", async () => {
  const container = await containerOf(programContainer());
  const backup = container.make(Backup);
  assert.deepEqual(
    [backup.bucket, backup.zone, backup.rules, backup.spare, backup.region],
    ['backups', 'eu-1a', ['daily', 'weekly'], undefined, 'eu-1'],
  );
  assert.ok(backup.shared.store instanceof Store);
});

test('constructs one instance of a singleton, and one instance of a container-scoped class per container', async () => {
  const container = await containerOf(programContainer());
  const [first, second] = [container.make(Backup), container.make(Backup)];
  const other = container.child().make(Backup);
  assert.equal(first.session, second.session);
  assert.notEqual(first.session, other.session);
  assert.equal(first.shared, other.shared);
  assert.equal(first.session.shared, other.session.shared);
});

test('provides services under strings and symbols', async () => {
  const container = await containerOf(programContainer('BUCKET'));
  container.provide('BUCKET', { make: () => 'made' });
  container.provide(ZONE, { value: 'us-1b' });
  const { bucket, zone } = container.make(Backup);
  assert.deepEqual([bucket, zone], ['made', 'us-1b']);
});

test('the error for a string without a registered service names the parameter and the fix', async () => {
  const container = await containerOf(programContainer('BUCKET'));
  assert.throws(() => container.make(Backup), {
    code: 'NOT_PROVIDED',
    message:
      "parameter 0 ('bucket') of the constructor of Backup takes 'BUCKET', which is not provided: call manager.provide('BUCKET', …) before start, or register it in the container that is passed to new Manager({ container })",
  });
  const withoutRules = await containerOf(programContainer('RULE'));
  assert.throws(() => withoutRules.make(Backup), { code: 'NOT_PROVIDED', message: /parameter 2 \('rules'\).*'RULE'/ });
});

test('the error for a missing dependency of a service that tsyringe constructs names the parameter', async () => {
  @injectable()
  class Outer {
    constructor(@inject('BACKUP') readonly backup: Backup) {}
  }
  const parent = programContainer('BUCKET').register('BACKUP', { useClass: Backup });
  const container = await containerOf(parent);
  assert.throws(() => container.make(Outer), {
    code: 'CANNOT_INJECT',
    message: /cannot construct Outer: .*"bucket" at position #0 of "Backup".*"BUCKET".*manager\.provide/,
  });
});

test('constructs two classes that request each other through delay()', async () => {
  @injectable()
  class Hen {
    constructor(@inject(delay(() => Egg)) readonly egg: { readonly color: string }) {}
  }
  @injectable()
  class Egg {
    readonly color = 'brown';
    constructor(readonly hen: Hen) {}
  }
  const container = await containerOf(programContainer());
  assert.equal(container.make(Hen).egg.color, 'brown');
});

test('passes services to an inherited constructor', async () => {
  class SpecialBackup extends Backup {}
  const container = await containerOf(programContainer());
  const { bucket, region, shared } = container.make(SpecialBackup);
  assert.deepEqual([bucket, region], ['backups', 'eu-1']);
  assert.ok(shared instanceof Shared);
});

test('rejects a constructor parameter whose class has no decorator', async () => {
  abstract class Queue {
    size(): number {
      return 0;
    }
  }
  @injectable()
  class Worker {
    constructor(readonly queue: Queue) {}
  }
  const container = await containerOf(programContainer());
  assert.throws(() => container.make(Worker), {
    code: 'NOT_PROVIDED',
    message: /parameter 0 \('queue'\).*takes Queue/,
  });
});

test('a child container disposes of the instances that it constructed, but not of shared instances', async () => {
  const disposed: string[] = [];
  @singleton()
  class Pool {
    dispose(): void {
      disposed.push('pool');
    }
  }
  @scoped(Lifecycle.ContainerScoped)
  class Transaction {
    constructor(readonly pool: Pool) {}
    dispose(): void {
      disposed.push('transaction');
    }
  }
  @injectable()
  class Work {
    constructor(
      readonly transaction: Transaction,
      readonly pool: Pool,
    ) {}
  }
  const container = await containerOf(programContainer());
  container.prepareForChildren(Work);
  const child = container.child();
  assert.equal(child.makePrepared(Work).pool, container.make(Pool));
  await child.dispose();
  assert.deepEqual(disposed, ['transaction']);
});
