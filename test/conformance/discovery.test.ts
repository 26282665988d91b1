import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import { connect, Discovery, type ObservedRequest, type TransportObserver } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

const group = 'crew.example.com';
const schema = { openAPIV3Schema: { type: 'object' } };

/** Returns a CustomResourceDefinition with the given versions. The last version is the storage version. */
function definition(plural: string, versions: readonly string[]): object {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: versions.map((name) => ({ name, served: true, storage: name === versions.at(-1), schema })),
    },
  };
}

const withCode = (code: string) => (error: unknown) => error instanceof KubewrightError && error.code === code;

/** Records the paths of requests. If `aggregated` is false, requests the plain discovery documents. */
class Requested implements TransportObserver {
  readonly #aggregated: boolean;
  paths: string[] = [];
  constructor(aggregated: boolean) {
    this.#aggregated = aggregated;
  }
  request(request: ObservedRequest): undefined {
    this.paths.push(request.path);
    if (!this.#aggregated) request.headers['accept'] = 'application/json';
  }
  take(): readonly string[] {
    return this.paths.splice(0);
  }
}

for (const aggregated of [true, false]) {
  const form = aggregated ? 'aggregated' : 'plain';
  describe(`discovery with ${form} documents`, () => {
    let env: TestEnvironment;
    let folder: string;
    let transport: Transport;
    let discovery: Discovery;
    const requested = new Requested(aggregated);
    const install = async (plural: string, versions: readonly string[]): Promise<void> => {
      const file = join(folder, `${plural}.json`);
      await writeFile(file, JSON.stringify(definition(plural, versions)));
      await env.install({ crds: [file] });
    };
    /** Waits until the condition is true. A real server adds a new definition to its discovery documents with a delay. */
    const reported = async (what: () => Promise<boolean>): Promise<void> => {
      while (!(await what())) continue;
    };
    const fresh = (): Discovery => new Discovery(transport);
    const versionsOf = async (kind: string): Promise<string> =>
      (await fresh().findAll({ group, kind })).map((one) => one.version).join();

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kubewright-discovery-'));
      env = await startEnvironment();
      transport = new Transport(env.connection, { observers: [requested] });
      await install('drivers', ['v1', 'v2']);
      await reported(async () => (await versionsOf('Driver')) === 'v2,v1');
      discovery = fresh();
      requested.take();
    });
    after(async () => {
      await transport.close();
      await env[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });

    test('[CW-17, CW-26] a lookup with a version requests only the document of that group and version', async () => {
      assert.equal((await discovery.resolve(dynamicKind('apps/v1', 'Deployment'))).plural, 'deployments');
      assert.deepEqual(requested.take(), ['/apis/apps/v1']);
      assert.equal((await discovery.find({ group: '', version: 'v1', kind: 'Pod' })).plural, 'pods');
      assert.deepEqual(requested.take(), ['/api/v1']);
      const reviews = await discovery.find({ group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' });
      assert.deepEqual([reviews.kind, reviews.namespaced], ['TokenReview', false]);
      assert.deepEqual(requested.take(), ['/apis/authentication.k8s.io/v1']);
    });

    test('[CW-18, CW-26] discovery requests each document once, for lookups by kind and by plural', async () => {
      await discovery.find({ group: 'apps', version: 'v1', kind: 'StatefulSet' });
      await discovery.find({ group: 'apps', version: 'v1', plural: 'deployments' });
      await discovery.resolve(dynamicKind('v1', 'Secret'));
      assert.deepEqual(requested.take(), []);
      const many = fresh();
      await Promise.all(['Deployment', 'DaemonSet'].map((kind) => many.find({ group: 'apps', version: 'v1', kind })));
      assert.deepEqual(requested.take(), ['/apis/apps/v1']);
    });

    test('[CW-19, CW-21, CW-24, CW-26] discovery returns the preferred version if the query has no version, on every call', async () => {
      const lazy = fresh();
      const first = await lazy.find({ group, kind: 'Driver' });
      assert.deepEqual([first.apiVersion, first.plural, first.namespaced], [`${group}/v2`, 'drivers', true]);
      assert.deepEqual(requested.take(), aggregated ? ['/apis'] : ['/apis', `/apis/${group}/v2`]);
      assert.deepEqual(await lazy.find({ group, kind: 'Driver' }), first);
      assert.deepEqual(requested.take(), []);
      assert.equal((await lazy.find({ group, kind: 'Driver', version: 'v1' })).version, 'v1');
      assert.deepEqual(
        await lazy.find({ group, kind: 'Driver' }),
        first,
        'a query for another version does not change the preferred version',
      );
      assert.equal((await lazy.find({ group: '', kind: 'Pod' })).apiVersion, 'v1');
      requested.take();
    });

    test('[CW-19, CW-26] findAll returns all versions of a kind after a lookup of one version', async () => {
      const lazy = fresh();
      await lazy.find({ group, kind: 'Driver', version: 'v1' });
      assert.deepEqual(requested.take(), [`/apis/${group}/v1`]);
      const all = await lazy.findAll({ group, kind: 'Driver' });
      assert.deepEqual(
        all.map(({ version }) => version),
        ['v2', 'v1'],
      );
      assert.deepEqual(requested.take(), aggregated ? ['/apis'] : ['/apis', `/apis/${group}/v2`]);
      await lazy.find({ group, kind: 'Driver', version: 'v2' });
      assert.deepEqual(requested.take(), []);
    });

    test('[CW-20, CW-26] discovery reports an unknown group, kind, or version with KIND_NOT_SERVED after one request', async () => {
      const lazy = fresh();
      for (const query of [
        { group: 'unknown.example.com', version: 'v1', kind: 'Driver' },
        { group: 'apps', version: 'v1', kind: 'Unknown' },
        { group: 'apps', version: 'v9', kind: 'Deployment' },
        { group: 'scheduling.k8s.io', version: 'v1', plural: 'unknowns' },
      ]) {
        await assert.rejects(lazy.find(query), withCode('KIND_NOT_SERVED'));
        assert.deepEqual(requested.take(), [`/apis/${query.group}/${query.version}`]);
      }
      await assert.rejects(lazy.find({ group: 'unknown.example.com', kind: 'Driver' }), withCode('KIND_NOT_SERVED'));
      assert.deepEqual(await lazy.findAll({ group: 'unknown.example.com', kind: 'Driver' }), []);
      requested.take();
    });

    test('[CW-22, CG-201, CW-26] discovery finds a kind that is installed after its group was cached', async () => {
      const lazy = fresh();
      await lazy.find({ group, kind: 'Driver' });
      await lazy.find({ group, kind: 'Driver', version: 'v1' });
      await assert.rejects(lazy.find({ group, kind: 'Rider' }), withCode('KIND_NOT_SERVED'));
      await install('riders', ['v1', 'v2']);
      await reported(async () => (await versionsOf('Rider')) === 'v2,v1');
      assert.equal((await lazy.find({ group, kind: 'Rider' })).apiVersion, `${group}/v2`);
      assert.equal((await lazy.resolve(dynamicKind(`${group}/v1`, 'Rider'))).plural, 'riders');
      requested.take();
    });

    test('[CW-23, CW-25, CW-26] invalidate removes a deleted version from its group, and keeps other groups', async () => {
      await install('pilots', ['v1', 'v2', 'v3']);
      await reported(async () => (await versionsOf('Pilot')) === 'v3,v2,v1');
      const lazy = fresh();
      await lazy.find({ group: 'apps', version: 'v1', kind: 'Deployment' });
      assert.equal((await lazy.find({ group, kind: 'Pilot' })).version, 'v3');
      await install('pilots', ['v1', 'v2']).catch(async (error: unknown) => {
        // A real server rejects the removal of a version in status.storedVersions. In this case, the test reinstalls the definition.
        assert.ok(error instanceof KubewrightError, String(error));
        await env.uninstall({ crds: [join(folder, 'pilots.json')] });
        await install('pilots', ['v1', 'v2']);
      });
      await reported(async () => (await versionsOf('Pilot')) === 'v2,v1');
      requested.take();
      lazy.invalidate(group);
      assert.equal((await lazy.find({ group, kind: 'Pilot' })).version, 'v2');
      await assert.rejects(lazy.find({ group, version: 'v3', kind: 'Pilot' }), withCode('KIND_NOT_SERVED'));
      requested.take();
      await lazy.find({ group: 'apps', version: 'v1', kind: 'DaemonSet' });
      assert.deepEqual(requested.take(), []);
    });

    test('[CG-198, CG-201] served returns all served resources with verbs, short names, and subresources', async () => {
      const { groups, failed } = await discovery.served();
      assert.equal(failed.size, 0);
      const of = (name: string) => groups.find((one) => one.group === name)?.versions[0]?.resources ?? [];
      const deployment = of('apps').find(({ kind }) => kind === 'Deployment');
      assert.ok(deployment?.shortNames.includes('deploy') && deployment.verbs.includes('patch'));
      assert.ok(deployment?.subresources.includes('scale'));
      assert.ok(of('').some(({ kind, namespaced }) => kind === 'Namespace' && !namespaced));
      assert.ok(of(group).some(({ kind }) => kind === 'Driver'));
    });
  });
}

test('[CW-21] a program can use a kind without knowing its class or version', async () => {
  await using env = await startEnvironment();
  await using cluster = await connect({ connection: env.connection });
  const { apiVersion, kind } = await cluster.discovery.find({ group: '', kind: 'ConfigMap' });
  const Found = dynamicKind(apiVersion, kind);
  await cluster.client.create(
    new Found({ metadata: { name: 'found', namespace: 'default' }, data: { by: 'discovery' } }),
  );
  const read = await cluster.client.live.get(Found, { name: 'found', namespace: 'default' });
  assert.deepEqual(read['data'], { by: 'discovery' });
  await cluster.client.delete(read);
  await assert.rejects(cluster.client.live.get(Found, { name: 'found', namespace: 'default' }), isNotFound);
});
