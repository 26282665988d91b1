import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from './api-server.js';
import { RawClient } from './raw-client.test.support.js';

const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const migrations = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const pods = '/api/v1/namespaces/default/pods';
const protobuf = 'application/vnd.kubernetes.protobuf';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function podWith(fields: object): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'p-' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...fields },
  };
}

describe('the Kubernetes versions of a server', () => {
  const servers = new Map<string, { readonly server: ApiServer; readonly client: RawClient }>();
  before(async () => {
    for (const version of ['1.35', '1.36', '1.37']) {
      const server = await ApiServer.start({ kubernetesVersion: version });
      servers.set(version, { server, client: new RawClient(server) });
    }
  });
  after(async () => {
    for (const { server } of servers.values()) await server.stop();
  });
  /** Returns a result of each version. */
  async function each<T>(of: (client: RawClient) => Promise<T>): Promise<Readonly<Record<string, T>>> {
    const results: Record<string, T> = {};
    for (const [version, { client }] of servers) results[version] = await of(client);
    return results;
  }
  const one = (version: string): RawClient => {
    const found = servers.get(version);
    assert.ok(found);
    return found.client;
  };

  it('/version contains the minor version and the recorded patch version', async () => {
    const found = await each(async (client) => {
      const { minor, gitVersion, emulationMinor, minCompatibilityMinor } = (await client.get('/version')).body;
      return [minor, gitVersion, emulationMinor, minCompatibilityMinor];
    });
    assert.deepEqual(found, {
      '1.35': ['35', 'v1.35.4+kubewright', '35', '34'],
      '1.36': ['36', 'v1.36.3+kubewright', '36', '35'],
      '1.37': ['37', 'v1.37.2+kubewright', '37', '36'],
    });
  });

  it('/version and the nodes contain a requested patch version', async () => {
    await using server = await ApiServer.start({ kubernetesVersion: '1.36.2', workloads: ['pods'] });
    const client = new RawClient(server);
    assert.equal((await client.get('/version')).body['gitVersion'], 'v1.36.2+kubewright');
    assert.match((await client.get('/api/v1/nodes')).text, /"kubeletVersion":"v1\.36\.2\+kubewright"/);
  });

  it('ApiServer.start rejects with INVALID_VERSION for a version without data', async () => {
    await assert.rejects(ApiServer.start({ kubernetesVersion: '1.34' }), {
      code: 'INVALID_VERSION',
      message: "cannot serve Kubernetes version '1.34'; use 1.35, 1.36 or 1.37, or a patch version such as 1.36.3",
    });
  });

  it('discovery contains the groups and resources of the version', async () => {
    const legacy = await each(async (client) => {
      const groups = (await client.get('/apis')).body['groups'] as readonly { readonly name: string }[];
      return groups.some(({ name }) => name === 'storagemigration.k8s.io');
    });
    assert.deepEqual(legacy, { '1.35': false, '1.36': false, '1.37': true });
    const plurals = await each(async (client) => {
      const resources = (await client.get('/apis/admissionregistration.k8s.io/v1')).body['resources'];
      return (resources as readonly { readonly name: string }[]).some(
        ({ name }) => name === 'mutatingadmissionpolicies',
      );
    });
    assert.deepEqual(plurals, { '1.35': false, '1.36': true, '1.37': true });
    const all = await each(async (client) => {
      const { text } = await client.get('/apis', { accept: aggregated });
      return ['"mutatingadmissionpolicies"', '"clustertrustbundles"'].map((name) => text.includes(name));
    });
    assert.deepEqual(all, { '1.35': [false, false], '1.36': [true, false], '1.37': [true, true] });
  });

  it('returns 404 for a resource that the version does not have', async () => {
    assert.deepEqual(await each(async (client) => (await client.get(policies)).status), {
      '1.35': 404,
      '1.36': 200,
      '1.37': 200,
    });
    assert.deepEqual(await each(async (client) => (await client.get(migrations)).status), {
      '1.35': 404,
      '1.36': 404,
      '1.37': 200,
    });
  });

  it('accepts the fields of the version, and treats other fields as unknown fields', async () => {
    const workload = { workloadRef: { name: 'w', podGroup: 'g' } };
    const strict = await each(async (client) => {
      const answer = await client.post(`${pods}?fieldValidation=Strict`, podWith(workload));
      return [answer.status, answer.body['message'] ?? (answer.body['spec'] as object & typeof workload).workloadRef];
    });
    const unknown =
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.workloadRef"';
    assert.deepEqual(strict, {
      '1.35': [201, workload.workloadRef],
      '1.36': [400, unknown],
      '1.37': [400, unknown],
    });
    const warned = await one('1.36').post(`${pods}?fieldValidation=Warn`, podWith(workload));
    assert.equal(warned.status, 201);
    assert.match(String(warned.headers['warning']), /unknown field \\"spec\.workloadRef\\"/);
    const ignored = await one('1.36').post(`${pods}?fieldValidation=Ignore`, podWith(workload));
    assert.ok(!('workloadRef' in (ignored.body['spec'] as object)));
  });

  it('the OpenAPI documents contain the schemas and the version', async () => {
    const found = await each(async (client) => {
      const { info, components } = (await client.get('/openapi/v3/api/v1')).body as unknown as {
        readonly info: { readonly version: string };
        readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
      };
      const properties = components.schemas['io.k8s.api.core.v1.PodSpec']?.properties ?? {};
      return [info.version, ...['workloadRef', 'schedulingGroup'].map((field) => field in properties)];
    });
    assert.deepEqual(found, {
      '1.35': ['1.35', true, false],
      '1.36': ['1.36', false, true],
      '1.37': ['1.37', false, true],
    });
    const version2 = await each(async (client) => {
      const { definitions } = (await client.get('/openapi/v2')).body as unknown as { readonly definitions: object };
      return 'io.k8s.api.storagemigration.v1.StorageVersionMigration' in definitions;
    });
    assert.deepEqual(version2, { '1.35': false, '1.36': false, '1.37': true });
  });

  it('stores the kinds that are new in 1.37, with status, table and protobuf', async () => {
    const client = one('1.37');
    const created = await client.post(migrations, {
      apiVersion: 'storagemigration.k8s.io/v1',
      kind: 'StorageVersionMigration',
      metadata: { name: 'm' },
      spec: { resource: { group: 'apps', resource: 'deployments' } },
    });
    assert.equal(created.status, 201, created.text);
    const condition = {
      type: 'Succeeded',
      status: 'True',
      reason: 'Done',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const updated = await client.send('PUT', `${migrations}/m/status`, {
      body: { ...created.body, status: { conditions: [condition], resourceVersion: '5' } },
    });
    assert.deepEqual(updated.body['status'], { conditions: [condition], resourceVersion: '5' });
    const { columnDefinitions, rows } = (await client.get(migrations, { accept: table })).body as unknown as {
      readonly columnDefinitions: readonly { readonly name: string }[];
      readonly rows: readonly { readonly cells: readonly unknown[] }[];
    };
    assert.deepEqual(
      columnDefinitions.map(({ name }) => name),
      ['Name', 'Resource', 'Status'],
    );
    assert.deepEqual(rows[0]?.cells, ['m', 'deployments.apps', 'Succeeded']);
    const encoded = await client.get(`${migrations}/m`, { accept: protobuf });
    assert.equal(encoded.headers['content-type'], protobuf);
    assert.ok(encoded.text.includes('deployments') && encoded.text.includes('Succeeded'));
  });

  it('protobuf contains the fields of the version', async () => {
    const { body } = await one('1.35').post(pods, podWith({ workloadRef: { name: 'the-workload', podGroup: 'g' } }));
    const path = `${pods}/${body.metadata.name}`;
    assert.ok((await one('1.35').get(path, { accept: protobuf })).text.includes('the-workload'));
  });

  it('the initial objects are the objects of the version', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:device-taint-eviction-controller';
    assert.deepEqual(await each(async (client) => (await client.get(roles)).status), {
      '1.35': 404,
      '1.36': 200,
      '1.37': 200,
    });
    const service = '/apis/apiregistration.k8s.io/v1/apiservices/v1.storagemigration.k8s.io';
    assert.deepEqual((await one('1.37').get(service)).body['spec'], {
      group: 'storagemigration.k8s.io',
      groupPriorityMinimum: 15_800,
      version: 'v1',
      versionPriority: 15,
    });
  });
});
