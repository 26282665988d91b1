import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  Admission,
  type AuthenticatedUser,
  Authenticator,
  Converter,
  Defaulter,
  type Draft,
  dynamicKind,
  type KubeObject,
  Validator,
  type Violation,
} from '@kubewright/api';
import { InMemoryCertificates } from '../../serving/in-memory-certificates.js';
import type { RequestHandler } from '../../serving/http-endpoint.js';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { fetchText } from '../../test-support/fetch-text.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { admissionReview, patchIn, postReview } from '../../test-support/webhook-calls.js';
import { aborted } from '../../waiting/aborted.js';
import { Rbac } from '../../rbac/rbac-decorator.js';
import { Injectable } from '../injection/injection.js';
import { Manager } from '../manager.js';
import type { ManagerOptions } from '../settings/manager-options.js';
import type { WebhooksOptions } from './webhooks-options.js';

type Disk = KubeObject & { readonly spec: { readonly sizeGi: number; readonly class?: string } };
const Disk = dynamicKind<Disk>('example.com/v1', 'Disk');
const OldDisk = dynamicKind<Disk>('example.com/v1beta1', 'Disk');
const disk = { apiVersion: 'example.com/v1', kind: 'Disk', metadata: { name: 'a' }, spec: { sizeGi: 0 } };
const review = admissionReview({ kind: { group: 'example.com', version: 'v1', kind: 'Disk' }, object: disk });

@Injectable()
class Limits {
  readonly minimum = 1;
}
@Validator({ for: Disk })
@Rbac({ kind: Disk, verbs: ['list'] })
class DiskValidator implements Validator<Disk> {
  constructor(private readonly limits: Limits) {}
  validate({ spec }: Disk): Violation[] {
    return spec.sizeGi >= this.limits.minimum ? [] : [{ field: 'spec.sizeGi', message: 'is too small' }];
  }
}
@Defaulter({ for: Disk })
class DiskDefaulter implements Defaulter<Disk> {
  default(draft: Draft<Disk>): void {
    draft.spec.class ??= 'ssd';
  }
}
@Authenticator()
class Tokens implements Authenticator {
  constructor(private readonly limits: Limits) {}
  authenticate(token: string): AuthenticatedUser | undefined {
    return token === 'good' ? { name: `user-${this.limits.minimum}` } : undefined;
  }
}
@Converter({ from: OldDisk, hub: Disk })
class DiskConverter implements Converter<Disk, Disk> {
  up({ spec }: Disk) {
    return { spec };
  }
  down({ spec }: Disk) {
    return { spec };
  }
}

/** Returns a manager whose webhook server uses a free port of 127.0.0.1. The API server of the manager is not reachable. */
function newManager(
  t: TestContext,
  webhooks: WebhooksOptions | false | 'default' = {},
  more: Partial<ManagerOptions> = {},
) {
  const certificates = new InMemoryCertificates(['127.0.0.1']);
  const logger = new RecordingLogger();
  const manager = new Manager({
    connection: { server: 'http://127.0.0.1:1' },
    signals: false,
    settings: false,
    logger,
    ...(webhooks !== 'default' && { webhooks: webhooks && { host: '127.0.0.1', port: 0, certificates, ...webhooks } }),
    ...more,
  });
  t.after(() => manager.stop());
  const url = (path: string) => `https://127.0.0.1:${manager.status().endpoints['webhooks']?.port}${path}`;
  const post = (path: string, body: unknown = review) => postReview(url(path), body, { ca: certificates.caBundle });
  return { manager, certificates, logger, post };
}

test('[WA-28, WA-31, WA-33] serves decorated classes with injected services at their default paths', async (t) => {
  const { manager, post } = newManager(t);
  await manager.add(DiskDefaulter, DiskValidator).start();
  for (const version of ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']) {
    const defaulted = await post('/mutate-example-com-v1-disk', { ...review, apiVersion: version });
    assert.equal(defaulted.review?.apiVersion, version);
    assert.deepEqual(patchIn(defaulted), [{ op: 'add', path: '/spec/class', value: 'ssd' }]);
    const validated = await post('/validate-example-com-v1-disk', { ...review, apiVersion: version });
    assert.equal(
      validated.review?.response.status.message,
      'Disk.example.com "" is invalid: spec.sizeGi: Invalid value: 0: is too small',
    );
  }
});

test('[WA-29, WA-31, WA-33] serves webhooks without a class at their own paths', async (t) => {
  const { manager, post } = newManager(t);
  manager.default({ for: Disk, path: '/my-default' }, (draft) => void (draft.spec.class = 'hdd'));
  manager.validate({ for: Disk, path: '/my-check' }, [
    () => [{ field: 'spec', message: 'one' }],
    { validate: () => [{ field: 'spec', message: 'two' }] },
  ]);
  manager.admit(
    { for: Disk, path: '/my-guard', name: 'guard.disk.example.com' },
    { mutate: (draft) => void (draft.spec.sizeGi = 9), validate: () => [] },
  );
  manager.convert({ from: OldDisk, hub: Disk }, new DiskConverter());
  await manager.start();
  assert.deepEqual(patchIn(await post('/my-default')), [{ op: 'add', path: '/spec/class', value: 'hdd' }]);
  assert.match((await post('/my-check')).review?.response.status.message ?? '', /one, spec: .*two\]$/);
  assert.deepEqual(patchIn(await post('/my-guard/mutate')), [{ op: 'replace', path: '/spec/sizeGi', value: 9 }]);
  assert.equal((await post('/my-guard/validate')).review?.response.allowed, true);
  const conversion = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'u', desiredAPIVersion: 'example.com/v1beta1', objects: [disk] },
  };
  const converted = await post('/convert', conversion);
  assert.deepEqual(converted.review?.response.convertedObjects, [{ ...disk, apiVersion: 'example.com/v1beta1' }]);
});

test('[WC-14] serves webhooks that are added while the manager runs', async (t) => {
  const { manager, post } = newManager(t);
  await manager.start();
  assert.equal(manager.status().endpoints['webhooks'], undefined);
  manager.add(new DiskValidator(new Limits()));
  await untilListening(manager);
  assert.equal((await post('/validate-example-com-v1-disk')).review?.response.allowed, false);
  manager.add(DiskDefaulter);
  assert.equal((await post('/mutate-example-com-v1-disk')).review?.response.allowed, true);
});
async function untilListening(manager: Manager): Promise<void> {
  while (manager.status().endpoints['webhooks'] === undefined) await new Promise((resolve) => setImmediate(resolve));
}

test('[MG-07] a manager without webhooks starts no webhook server, and adds no readiness check', async (t) => {
  const { manager } = newManager(t, {}, { health: { port: 0, host: '127.0.0.1' } });
  await manager.start();
  assert.equal(manager.status().endpoints['webhooks'], undefined);
  assert.equal(manager.describe().webhooks, undefined);
  const { status } = await fetchText(`http://127.0.0.1:${manager.health.address?.port}/readyz/webhooks`);
  assert.equal(status, 404);
});

test('the health server reports the webhook server as ready after the start of the manager', async (t) => {
  const { manager } = newManager(t, {}, { health: { port: 0, host: '127.0.0.1' } });
  await manager.add(DiskDefaulter).start();
  const { status, text } = await fetchText(`http://127.0.0.1:${manager.health.address?.port}/readyz/webhooks`);
  assert.deepEqual([status, text], [200, 'ok']);
});

test('[MG-08, MG-09] serves webhooks with a given server', async (t) => {
  const handlers = new Map<string, RequestHandler>();
  const calls: string[] = [];
  const server = {
    handle: (path: string, handler: RequestHandler) => void handlers.set(path, handler),
    listen: async () => void calls.push('listen'),
    address: { host: '127.0.0.1', port: 7 },
    [Symbol.asyncDispose]: async () => void calls.push('closed'),
  };
  const { manager } = newManager(t, { server });
  await manager.add(DiskDefaulter, DiskConverter).start();
  assert.deepEqual([...handlers.keys()], ['/mutate-example-com-v1-disk', '/convert']);
  assert.deepEqual(manager.status().endpoints['webhooks'], server.address);
  await manager.stop();
  assert.deepEqual(calls, ['listen', 'closed']);
});

test('[WC-11] serves an authenticator, whose class the container constructs', async (t) => {
  const { manager, post } = newManager(t);
  await manager.add(Tokens).start();
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'good' } };
  const { status } = JSON.parse((await post('/authenticate', review)).text);
  assert.deepEqual(status, { authenticated: true, user: { username: 'user-1' } });
  const { webhooks } = manager.describe();
  assert.deepEqual([webhooks?.admission, webhooks?.conversions], [[], []]);
  assert.throws(() => manager.validate({ for: Disk, path: '/authenticate' }, () => []), {
    code: 'DUPLICATE_WEBHOOK',
    message: /the webhook of Tokens also has the path '\/authenticate'/,
  });
});

test('[WC-18] serves webhooks with certificate files on a replica that is not the leader', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  t.after(() => rm(folder, { recursive: true }));
  const { cert, key } = selfSignedCertificate(['127.0.0.1']);
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  const leaderElection = { name: 'test', namespace: 'default' };
  const { manager } = newManager(t, { certificates: { certFile, keyFile } }, { leaderElection });
  await manager.add(DiskDefaulter).start();
  assert.equal(manager.isLeader, false);
  const { port } = manager.status().endpoints['webhooks'] ?? {};
  const answer = await postReview(`https://127.0.0.1:${port}/mutate-example-com-v1-disk`, review, { ca: cert });
  assert.equal(answer.review?.response.allowed, true);
});

test('rejects the start outside of a Pod if the manager has to create the certificates', async (t) => {
  const { manager } = newManager(t, { certificates: {} });
  await assert.rejects(manager.add(DiskDefaulter).start(), {
    code: 'INVALID_SERVING_OPTIONS',
    message: /does not run in a Pod; set webhooks\.certificates to files or to new InMemoryCertificates\(\)/,
  });
});

test('[MG-10] does not serve webhooks if the server is disabled, and logs this once', async (t) => {
  for (const webhooks of [false, 'default'] as const) {
    const { manager, logger } = newManager(t, webhooks);
    await manager.add(DiskDefaulter, DiskValidator).start();
    assert.equal(manager.status().endpoints['webhooks'], undefined);
    const lines = logger.lines.filter(({ message }) => message.startsWith('webhooks are not served'));
    assert.equal(lines.length, 1);
    await manager.stop();
  }
});

test('[RG-03] starts the webhook server after endpoints and before clusters, and stops it in reverse order', async (t) => {
  const order: string[] = [];
  const endpoint = (name: string) => ({
    name,
    address: undefined,
    handle: () => undefined,
    listen: async () => void order.push(`+${name}`),
    [Symbol.asyncDispose]: async () => void order.push(`-${name}`),
  });
  const { manager } = newManager(t, { server: endpoint('webhooks') });
  const { client, cache, events, connection } = manager;
  const cluster = {
    client,
    cache,
    events,
    connection,
    discovery: undefined as never,
    [Symbol.asyncDispose]: async () => void order.push('-cluster'),
  };
  manager.add(
    {
      name: 'others',
      leaderOnly: false,
      run: async (signal) => {
        order.push('+others');
        await aborted(signal);
        order.push('-others');
      },
    },
    cluster,
    DiskDefaulter,
    endpoint('endpoint'),
  );
  await manager.start();
  await manager.stop();
  assert.deepEqual(order, ['+endpoint', '+webhooks', '+others', '-others', '-cluster', '-webhooks', '-endpoint']);
});

test('rejects a second webhook with the same path or name, and keeps only the first webhook', (t) => {
  const { manager } = newManager(t);
  manager.add(DiskValidator);
  assert.throws(() => manager.validate({ for: Disk }, () => []), {
    code: 'DUPLICATE_WEBHOOK',
    message:
      /webhook of manager\.validate: the webhook of DiskValidator also has the path '\/validate-example-com-v1-disk'/,
  });
  assert.throws(
    () => manager.validate({ for: Disk, path: '/a' }, () => []),
    /the name 'validate\.disk\.v1\.example\.com'/,
  );
  assert.equal(manager.describe().webhooks?.admission.length, 1);
});

test('rejects converters with two hubs, and two converters for the same version', async (t) => {
  const { manager } = newManager(t);
  manager
    .add(DiskConverter)
    .convert(
      { from: dynamicKind('example.com/v2', 'Disk'), hub: dynamicKind('example.com/v3', 'Disk') },
      new DiskConverter() as never,
    );
  await assert.rejects(manager.start(), { code: 'INVALID_CONVERSION', message: /v1 and v3 are both hubs/ });
  const { manager: running } = newManager(t);
  await running.add(DiskConverter).start();
  assert.throws(() => running.add(new DiskConverter()), {
    code: 'INVALID_CONVERSION',
    message: /both convert v1beta1/,
  });
});

test('rejects an undecorated class, a missing handler and invalid options with the fix', (t) => {
  const { manager } = newManager(t);
  class Plain {
    validate(): Violation[] {
      return [];
    }
  }
  assert.throws(() => manager.add(Plain), { code: 'NOT_A_COMPONENT', message: /has no @Validator\(\{ for: … \}\)/ });
  assert.throws(() => manager.admit({ for: Disk }, {}), {
    code: 'INVALID_WEBHOOK',
    message: /method mutate or validate/,
  });
  assert.throws(
    () => manager.validate({ for: Disk, timeoutSeconds: 60 }, () => []),
    /manager\.validate: timeoutSeconds is 60/,
  );
  const invalid: readonly (readonly [webhooks: unknown, message: RegExp])[] = [
    [{ ports: 1 }, /unknown option 'webhooks\.ports'; use one of port, host/],
    [{ port: 70_000 }, /webhooks\.port is 70000: use an integer/],
    [{ certificates: 'letsencrypt' }, /webhooks\.certificates is "letsencrypt": use \{ secret, lifetime/],
    [{ server: {} }, /webhooks\.server is not a webhook server/],
    ['on', /webhooks is "on": use an object/],
  ];
  for (const [webhooks, message] of invalid) {
    assert.throws(() => new Manager({ webhooks: webhooks as never, settings: false }), { message });
  }
});

test('describes the webhooks in the order in which they were added, and the rules of their classes', (t) => {
  @Admission({ for: Disk, subresource: 'scale', operations: ['update'] })
  class Guard {
    validate(): Violation[] {
      return [];
    }
  }
  const { manager } = newManager(t, { certificates: 'cert-manager', port: 8443 });
  manager.add(DiskValidator, DiskConverter, Guard, DiskDefaulter);
  const { webhooks, rules } = manager.describe();
  assert.deepEqual(
    webhooks?.admission.map(({ type, name, path }) => ({ type, name, path })),
    [
      { type: 'validating', name: 'validate.disk.v1.example.com', path: '/validate-example-com-v1-disk' },
      { type: 'validating', name: 'validate.scale.disk.v1.example.com', path: '/validate-example-com-v1-disk-scale' },
      { type: 'mutating', name: 'mutate.disk.v1.example.com', path: '/mutate-example-com-v1-disk' },
    ],
  );
  assert.deepEqual(webhooks?.conversions, [{ hub: Disk, spokes: [OldDisk], path: '/convert' }]);
  assert.deepEqual([webhooks?.port, webhooks?.certificates], [8443, { source: 'cert-manager' }]);
  assert.deepEqual(rules, [{ kind: Disk, verbs: ['list'] }]);
});
