import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../client/client.js';
import { servicesOf } from './constructor-services.js';
import { Inject, Injectable } from './injection.js';
import { ServiceContainer } from './service-container.js';
import { token } from './token.js';

interface Dns {
  readonly url: string;
}
const Dns = token<Dns>('Dns');

@Injectable()
class Store {
  readonly rows: string[] = [];
}
@Injectable()
class Zones {
  constructor(
    readonly store: Store,
    @Inject(Dns) readonly dns: Dns,
  ) {}
}

test('constructs a class with the classes and tokens that its constructor requests', async () => {
  const container = await ServiceContainer.create();
  container.provide(Dns, { value: { url: 'http://127.0.0.1:53' } });
  const zones = container.make(Zones);
  assert.ok(zones.store instanceof Store);
  assert.equal(zones.dns.url, 'http://127.0.0.1:53');
});

test('constructs a provided service once, and a child container can replace the service', async () => {
  const container = await ServiceContainer.create();
  let made = 0;
  container.provide(Dns, { make: () => ({ url: `dns-${++made}` }) });
  container.provide(Store, { use: Store });
  const child = container.child();
  child.provide(Dns, { value: { url: 'of the child' } });
  assert.equal(container.make(Zones).dns, container.make(Zones).dns);
  assert.equal(made, 1);
  assert.equal(child.make(Zones).dns.url, 'of the child');
  assert.equal(child.make(Zones).store, container.make(Zones).store);
});

test('two containers do not share provided services', async () => {
  const [first, second] = [await ServiceContainer.create(), await ServiceContainer.create()];
  first.provide(Dns, { value: { url: 'first' } });
  second.provide(Dns, { value: { url: 'second' } });
  assert.equal(second.make(Zones).dns.url, 'second');
  assert.equal(first.make(Zones).dns.url, 'first');
});

test('the error for a missing token names the token and the class that requests the token', async () => {
  const container = await ServiceContainer.create();
  assert.throws(
    () => container.make(Zones),
    /parameter 1 \('dns'\) of the constructor of Zones takes Dns, which is not provided/,
  );
});

test('does not construct a class without @Injectable', async () => {
  class Unmarked {}
  @Injectable()
  class Asks {
    constructor(readonly unmarked: Unmarked) {}
  }
  const container = await ServiceContainer.create();
  assert.throws(() => container.make(Asks), { code: 'NOT_PROVIDED', message: /takes Unmarked/ });
});

test('the error for a circular dependency names the services', async () => {
  class Egg {
    constructor(readonly hen: unknown) {}
  }
  class Hen {
    constructor(readonly egg: Egg) {}
  }
  Injectable()(Egg);
  Injectable()(Hen);
  Reflect.defineMetadata('design:paramtypes', [Hen], Egg);
  Reflect.defineMetadata('design:paramtypes', [Egg], Hen);
  const container = await ServiceContainer.create();
  assert.throws(() => container.make(Hen), /Hen → Egg → Hen/);
});

test('the error for an interface without @Inject contains the fix', () => {
  @Injectable()
  class Asks {
    constructor(readonly dns: Dns) {}
  }
  assert.throws(() => servicesOf(Asks), {
    code: 'CANNOT_INJECT',
    message: /parameter 0 \('dns'\) .* Asks is an interface.*@Inject/,
  });
});

test('the error for a class that is imported with `import type` contains the fix', () => {
  class Asks {
    constructor(readonly client: Client) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Function], Asks);
  assert.throws(() => servicesOf(Asks), { code: 'CANNOT_INJECT', message: /'import type'/ });
});

test('the error for a class that was compiled without decorator metadata contains the fix', () => {
  class Plain {
    constructor(readonly client: Client) {}
  }
  assert.throws(() => servicesOf(Plain), { code: 'CANNOT_INJECT', message: /emitDecoratorMetadata/ });
});
