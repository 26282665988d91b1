import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import {
  AccessRecord,
  type Client,
  type ClientCall,
  connect,
  isNotFound,
  Result,
  type WatchEvent,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { configMap, Counter, Gadget, gadget, hasCode, namespace, Site } from './client-kinds.js';

/** Calls of a client, by the verb and by a subresource or a method (after `by`). The object is an existing Gadget. */
const uses: Readonly<Record<string, (by: Client, object: Gadget) => Promise<unknown>>> = {
  get: (by, object) => by.get(Gadget, keyOf(object)),
  'get by find': (by, object) => by.find(Gadget, keyOf(object)),
  list: (by) => by.list(Gadget, { namespace }),
  'list by pages': (by) => by.live.pages(Gadget, { namespace })[Symbol.asyncIterator]().next(),
  'list by listOwned': (by, object) => by.listOwned(object, ConfigMap),
  watch: (by) => firstOf(by.live.watch(Gadget, { namespace })),
  create: (by, { metadata }) => by.create(gadget(`${metadata.name}-more`)),
  update: (by, object) => by.update({ ...object, spec: { size: 2 } }),
  patch: (by, object) => by.patch(object, { merge: { spec: { size: 3 } } }),
  apply: (by, { metadata }) => by.apply(configMap(metadata.name)),
  delete: (by, object) => by.delete(object),
  deleteAll: (by) => by.deleteAll(ConfigMap, { namespace, labels: 'none' }),
  'patch status': (by, object) => by.patchStatus(object, { phase: 'a' }),
  'get status': (by, object) => by.subresource(object, 'status').get(),
  'update status': (by, object) => by.subresource(object, 'status').update({ ...object, status: { phase: 'b' } }),
  'apply status': (by, object) => by.subresource(object, 'status').apply({ status: { phase: 'c' } }, { force: true }),
  'get scale': (by, object) => by.subresource(object, 'scale').get(),
  'update scale': (by, object) => by.subresource(object, 'scale').update({ spec: { replicas: 1 } }),
  'patch scale': (by, object) => by.subresource(object, 'scale').patch({ merge: { spec: { replicas: 1 } } }),
};

describe('interceptors and access records of a client', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds: [Gadget, Counter] });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  for (const [at, [name, use]] of Object.entries(uses).entries()) {
    const [verb, what] = name.split(' ');
    const subresource = what === 'by' ? undefined : what;

    test(`[CW-14, CW-15, CW-16] an interceptor of the call '${name}' can forward the call, return another result, or throw an error`, async () => {
      const object = await client.create(gadget(`call-${at}`));
      const calls: ClientCall[] = [];
      const passing = client.with({
        intercept: (call, next) => {
          calls.push(call);
          return next();
        },
      });
      await use(passing, object);
      assert.deepEqual(
        calls.map((call) => [call.verb, call.subresource]),
        [[verb, subresource]],
      );
      assert.match(`${calls[0]?.apiVersion} ${calls[0]?.kind}`, /^client\.example\.com\/v1 Gadget$|^v1 ConfigMap$/);
      const failing = client.with({ intercept: async () => Promise.reject(new Error('not today')) });
      await assert.rejects(use(failing, object), /not today/);
      await use(client.with({ dryRun: false }), await client.create(gadget(`plain-${at}`)));
      if (verb === 'watch' || what === 'pages' || name === 'list by pages') return;
      const answering = client.with({ intercept: async () => 'an answer' });
      assert.equal(await use(answering, object), 'an answer');
    });
  }

  test('[CW-14] an interceptor observes each child that applyOwned applies or removes, and the first interceptor is the outermost', async () => {
    const owner = await client.create(gadget('family'));
    const reported: string[] = [];
    const around = (who: string): Parameters<Client['with']>[0] => ({
      intercept: (call, next) => {
        reported.push(`${who} ${call.verb} ${call.kind} ${call.name ?? ''}`.trim());
        return next();
      },
    });
    const nested = client.with(around('outer')).with(around('inner'));
    await nested.applyOwned(owner, [configMap('child-a'), configMap('child-b')]);
    reported.length = 0;
    await nested.applyOwned(owner, [configMap('child-b')]);
    assert.deepEqual(
      reported.filter((line) => !line.includes('list')),
      [
        'outer apply ConfigMap child-b',
        'inner apply ConfigMap child-b',
        'outer delete ConfigMap child-a',
        'inner delete ConfigMap child-a',
      ],
    );
  });

  test('find returns undefined if an interceptor throws a NotFound error', async () => {
    const object = await client.create(gadget('hidden'));
    const missing = await client.get(Gadget, { namespace, name: 'absent' }).catch((error: unknown) => error);
    const hiding = client.with({ intercept: async () => Promise.reject(missing) });
    assert.equal(await hiding.find(Gadget, keyOf(object)), undefined);
    assert.equal(await hiding.live.find(Gadget, keyOf(object)), undefined);
    await assert.rejects(hiding.get(Gadget, keyOf(object)), isNotFound);
  });

  test('a recording client reports the permissions of its calls, and the permissions that a role lacks', async () => {
    const record = new AccessRecord();
    const recorded = env.cluster.client.with({ record });
    const made = await recorded.create(gadget('recorded'));
    await recorded.get(Gadget, keyOf(made));
    await recorded.with({ namespace }).live.list(Pod);
    await recorded.subresource(made, 'scale').get();
    await recorded.delete(made);
    await recorded.deleteAll(ConfigMap, { namespace, labels: 'none' });
    assert.deepEqual(record.rules, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['deletecollection'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
      { apiGroups: ['client.example.com'], resources: ['gadgets'], verbs: ['create', 'delete', 'list', 'watch'] },
      { apiGroups: ['client.example.com'], resources: ['gadgets/scale'], verbs: ['get'] },
    ]);
    assert.deepEqual(record.beyond(record.rules), []);
    assert.deepEqual(record.beyond([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]), []);
    const narrow = [{ apiGroups: ['client.example.com'], resources: ['gadgets', '*/scale'], verbs: ['*'] }];
    assert.deepEqual(
      record.beyond(narrow).map(({ resource, verb }) => `${verb} ${resource}`),
      ['deletecollection configmaps', 'list pods'],
    );
  });

  test('a test environment reports the permissions that a reconcile used', async () => {
    const made = await client.create(gadget('rights'));
    const reconcile = async (object: Gadget): Promise<Result> => {
      await client.apply(configMap('rights'), { owner: object });
      await client.patchStatus(object, { phase: 'Done' });
      return Result.done();
    };
    const { access, error } = await env.reconcile({ reconcile }, made);
    assert.equal(error, undefined);
    assert.deepEqual(
      access.used.filter(({ resource }) => resource.startsWith('gadgets')),
      [{ group: 'client.example.com', resource: 'gadgets/status', verb: 'patch' }],
    );
    const permissions = [{ apiGroups: ['client.example.com'], resources: ['gadgets/status'], verbs: ['patch'] }];
    assert.deepEqual(new Set(access.beyond(permissions).map(({ resource }) => resource)), new Set(['configmaps']));
  });

  test('[CW-27] the client determines whether a kind is namespaced, both for kinds served at the start and for kinds installed later', async () => {
    const within = client.with({ namespace });
    await assert.rejects(within.live.list(Site), isNotFound);
    await env.install({ kinds: [Site] });
    const { NamedSite, NamedGadget } = await import('./client-kinds.js');
    const site = await within.create(new NamedSite({ metadata: { name: 'later' }, spec: {} }));
    assert.equal(site.metadata.namespace, undefined);
    const named = await within.create(new NamedGadget({ metadata: { name: 'by-name' }, spec: { size: 1 } }));
    assert.equal(named.metadata.namespace, namespace);
  });

  test('[CL-01] connect rejects a connection without a server and a missing kubeconfig', async () => {
    await assert.rejects(connect({ connection: { server: '' } }), hasCode('INVALID_SERVER'));
    await assert.rejects(connect({ kubeconfig: '/does/not/exist' }), hasCode('INVALID_KUBECONFIG'));
    await assert.rejects(
      connect({ connection: undefined as never, kubeconfig: { inline: '' } }),
      hasCode('INVALID_KUBECONFIG'),
    );
  });
});

async function firstOf<T extends KubeObject>(events: AsyncIterable<WatchEvent<T>>): Promise<WatchEvent<T>> {
  for await (const event of events) return event;
  throw new Error('the watch ended without an event');
}
