import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crdFor } from '@kubewright/api/metadata';
import { ApiServer } from '@kubewright/apiserver';
import { kinds } from '@kubewright/example-virtual-machine';
import { Kubectl, kubectlIsMissing } from './kubectl.js';

const machine = (name: string, spec: object = {}): object => ({
  apiVersion: 'cloud.waibizi.com/v1',
  kind: 'VirtualMachine',
  metadata: { name, namespace: 'default' },
  spec: { name, image: 'debian-12', ...spec },
});
const settings = (namespace: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace },
  data: { a: 'b' },
});
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
  },
};

describe('the kubectl on PATH against the embedded server', { skip: kubectlIsMissing }, () => {
  let server: ApiServer;
  let folder: string;
  let kubectl: Kubectl;

  before(async () => {
    server = await ApiServer.start({ workloads: true });
    folder = await mkdtemp(join(tmpdir(), 'kubewright-kubectl-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await server.writeKubeconfig(kubeconfig);
    kubectl = new Kubectl(kubeconfig, folder);
    await kubectl.ok('apply -f -', crdFor(kinds));
    await kubectl.ok('wait --for=condition=Established crd/virtualmachines.cloud.waibizi.com');
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  test('the kubeconfig can be read by its owner alone', async () => {
    assert.equal((await stat(join(folder, 'kubeconfig'))).mode & 0o777, 0o600);
  });

  test('api-resources lists built-in and custom kinds with their short names', async () => {
    const listed = await kubectl.ok('api-resources');
    assert.match(listed, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
    assert.match(listed, /^virtualmachines +vm +cloud\.waibizi\.com\/v1 +true +VirtualMachine$/m);
  });

  test('apply creates, then says that nothing changed, then configures', async () => {
    assert.match(await kubectl.ok('apply -f -', machine('applied')), /virtualmachine.*\/applied created/);
    assert.match(await kubectl.ok('apply -f -', machine('applied')), /virtualmachine.*\/applied unchanged/);
    assert.match(await kubectl.ok('apply -f -', machine('applied', { memory: 512 })), /\/applied configured/);
    assert.equal(await kubectl.ok("get vm applied -o 'jsonpath={.spec.memory}'"), '512');
  });

  test('server-side apply refuses what another manager owns, until conflicts are forced', async () => {
    await kubectl.ok('apply --server-side --field-manager=one -f -', machine('shared', { memory: 512 }));
    const refused = await kubectl.run(
      'apply --server-side --field-manager=two -f -',
      machine('shared', { memory: 1024 }),
    );
    assert.notEqual(refused.code, 0);
    assert.match(refused.err, /conflict with "one": \.spec\.memory/);
    await kubectl.ok(
      'apply --server-side --force-conflicts --field-manager=two -f -',
      machine('shared', { memory: 1024 }),
    );
    assert.equal(await kubectl.ok("get vm shared -o 'jsonpath={.spec.memory}'"), '1024');
  });

  test('get shows print columns, wide ones on request, and whole objects as YAML and JSON', async () => {
    await kubectl.ok('create -f -', machine('shown'));
    assert.match(await kubectl.ok('get vm shown'), /^NAME +PHASE +MEMORY +AGE\s+shown +1024 +/);
    assert.match(await kubectl.ok('get vm shown -o wide'), /^NAME +PHASE +MEMORY +ADDRESS +AGE/);
    assert.match(await kubectl.ok('get vm shown -o yaml'), /^kind: VirtualMachine$/m);
    assert.equal(JSON.parse(await kubectl.ok('get vm shown -o json')).spec.disk, 20);
  });

  test('get -w shows what changes from now on', async () => {
    await kubectl.ok('create -f -', machine('watched'));
    const seen: string[] = [];
    for await (const line of kubectl.lines('get vm watched -w --no-headers')) {
      seen.push(line);
      if (seen.length === 1) await kubectl.ok('patch vm watched --type=merge -p \'{"spec":{"memory":4096}}\'');
      if (line.includes('4096')) break;
    }
    assert.equal(seen.length, 2);
  });

  test('a Deployment rolls out, and its Pods, its ReplicaSet and Services are listed', async () => {
    assert.match(await kubectl.ok('apply -f -', deployment), /deployment\.apps\/web created/);
    assert.match(await kubectl.ok('rollout status deployment/web --timeout=60s'), /successfully rolled out/);
    const listed = await kubectl.ok('get pods,deploy,svc -A');
    assert.match(listed, /deployment\.apps\/web +2\/2 +2 +2/);
    assert.equal(listed.match(/pod\/web-\S+ +1\/1 +Running/g)?.length, 2);
    assert.match(listed, /service\/kubernetes +ClusterIP/);
    await kubectl.ok('scale deployment/web --replicas=3');
    await kubectl.ok('rollout status deployment/web --timeout=60s');
    assert.match(await kubectl.ok('get deploy web'), /web +3\/3/);
  });

  test('wait sees a condition come true', async () => {
    await kubectl.ok('apply -f -', { ...deployment, metadata: { name: 'waited', namespace: 'default' } });
    assert.match(await kubectl.ok('wait --for=condition=Available deployment/waited --timeout=60s'), /condition met/);
  });

  test('describe tells of the object and of its events', async () => {
    await kubectl.ok('create -f -', machine('described'));
    const described = await kubectl.ok('describe vm described');
    assert.match(described, /^Name: +described$/m);
    assert.match(described, /^ +Image: +debian-12$/m);
    assert.match(await kubectl.ok('describe pods -n default'), /Status: +Running/);
  });

  test('label and annotate change metadata, of custom and of built-in kinds', async () => {
    await kubectl.ok('create -f -', machine('labelled'));
    await kubectl.ok('label vm labelled tier=web');
    await kubectl.ok('annotate vm labelled note=kept');
    assert.match(await kubectl.ok('get vm -l tier=web -o name'), /labelled/);
    await kubectl.ok('apply -f -', settings('default'));
    await kubectl.ok('label configmap settings tier=web');
    assert.equal(await kubectl.ok("get configmap settings -o 'jsonpath={.metadata.labels.tier}'"), 'web');
  });

  test('patch takes JSON patches and merge patches', async () => {
    await kubectl.ok('create -f -', machine('patched'));
    await kubectl.ok(`patch vm patched --type=json -p '[{"op":"replace","path":"/spec/memory","value":256}]'`);
    await kubectl.ok(`patch vm patched --type=merge -p '{"spec":{"disk":40}}'`);
    assert.equal(await kubectl.ok("get vm patched -o 'jsonpath={.spec.memory} {.spec.disk}'"), '256 40');
  });

  test('an invalid object is refused with the path of every wrong field', async () => {
    const { code, err } = await kubectl.run(
      'create --validate=false -f -',
      machine('invalid', { memory: 1, image: '' }),
    );
    assert.equal(code, 1);
    assert.match(err, /VirtualMachine.* "invalid" is invalid/);
    assert.match(err, /spec\.memory: Invalid value: 1: spec\.memory in body should be greater than or equal to 128/);
    assert.match(err, /spec\.image/);
  });

  test('delete removes, and says so', async () => {
    await kubectl.ok('create -f -', machine('doomed'));
    assert.match(await kubectl.ok('delete vm doomed'), /"doomed" deleted/);
    assert.match(
      (await kubectl.run('get vm doomed')).err,
      /NotFound.*virtualmachines\.cloud\.waibizi\.com "doomed" not found/,
    );
  });

  test('a deleted namespace takes everything in it along', async () => {
    await kubectl.ok('apply -f -', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await kubectl.ok('apply -f -', settings('team'));
    assert.match(await kubectl.ok('delete namespace team --timeout=60s'), /"team" deleted/);
    assert.match((await kubectl.run('get configmap settings -n team')).err, /not found/);
  });
});
