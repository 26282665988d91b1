import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import type { ServiceAccount } from '@kubewright/api/core/v1';
import type { PlannedWatchEvent, WatchFault } from '@kubewright/apiserver';
import { programs } from '@kubewright/example-client-go-tour';
import { TestEnvironment } from '@kubewright/testing';
import { parseAllDocuments } from 'yaml';
import { selectedServer } from '../server/selected-server.js';
import { type Ended, OperatorProcess, run } from './operator-process.js';
import { shownOutput } from './shown-output.js';

const server = selectedServer();
let folder: string;
let env: TestEnvironment;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-tour-'));
  env = await TestEnvironment.start({ server });
  process.env['KUBECONFIG'] = join(folder, 'kubeconfig');
  await env.writeKubeconfig(join(folder, 'kubeconfig'));
});
after(async () => {
  await env[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const ran = new Map<string, Promise<Ended>>();
/** Runs a program only once, even if several tests use its result. */
function once(name: string, work: () => Promise<Ended>): Promise<Ended> {
  const ended = ran.get(name) ?? work();
  ran.set(name, ended);
  return ended;
}
/** Runs a program of the tour, which must succeed, and returns its output. */
async function outputOf(program: string): Promise<string> {
  const { code, out, err } = await once(program, () => run([`examples/client-go-tour/dist/${program}.js`]));
  assert.equal(code, 0, `${out}${err}`);
  assert.equal(err, '');
  return out;
}
/** Creates a folder with the token, the certificate authority and the namespace of the service account of `in-cluster`, as in its Pod. */
async function serviceAccount(): Promise<string> {
  const manifest = new URL('../../../examples/client-go-tour/config/rbac/in-cluster.yaml', import.meta.url);
  const objects = parseAllDocuments(await readFile(manifest, 'utf8')).map((document) => document.toJS() as KubeObject);
  for (const object of objects) await env.client.create(object);
  const account = objects.find((object): object is ServiceAccount => object.kind === 'ServiceAccount');
  assert.ok(account);
  const { status } = await env.client.subresource(account, 'token').create({ spec: { audiences: [] } });
  await writeFile(join(folder, 'token'), status?.token ?? '', { mode: 0o600 });
  await writeFile(join(folder, 'ca.crt'), env.connection.ca ?? '');
  await writeFile(join(folder, 'namespace'), 'default');
  return folder;
}
/** Runs the program `deployment` while a Deployment with the same name exists. */
function endOfTakenName(): Promise<Ended> {
  return once('a name that is taken', async () => {
    await outputOf('deployment');
    const labels = { app: 'other' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx' }] } };
    const metadata = { namespace: 'default', name: 'demo-deployment' };
    await env.client.create(new Deployment({ metadata, spec: { selector: { matchLabels: labels }, template } }));
    return await run(['examples/client-go-tour/dist/deployment.js']);
  });
}

describe('each program of the tour prints its results', { concurrency: true }, () => {
  for (const program of ['deployment', 'work-queue', 'informer', 'reflector', 'dynamic']) {
    test(`${program} prints the output in the README`, async () => {
      assert.match(await outputOf(program), shownOutput('client-go-tour', program));
    });
  }

  test('leader-election prints the output in the README, regardless of the order in which the candidates become the leader', async () => {
    const output = await outputOf('leader-election');
    const leaders = [...output.matchAll(/^(\w+) is the leader$/gm)].map(([, name = '']) => name);
    assert.deepEqual(new Set(leaders), new Set(['anna', 'ben', 'cleo']));
    const names = new Map(leaders.map((name, at) => [name, ['anna', 'ben', 'cleo'][at] ?? '']));
    const inOrder = output.replaceAll(/anna|ben|cleo/g, (name) => names.get(name) ?? name);
    assert.match(inOrder, shownOutput('client-go-tour', 'leader-election'));
  });

  test('the program deployment deletes its objects', async () => {
    assert.match(await outputOf('deployment'), /^deleted; find returns undefined$/m);
  });

  test('the program work-queue returns keys in the order of their due times and retries failed keys', async () => {
    const output = await outputOf('work-queue');
    assert.match(output, /0 are ready, 2 are delayed\n +first key: soon\n +next key, .*: tomorrow$/m);
    assert.match(output, /attempt 3 of flaky fails; retry after 40 ms\n +attempt 4 succeeds/);
    assert.match(output, /pending keys are still returned: last\n +then get returns undefined$/m);
  });

  test('the program informer reports every created and deleted Pod', async () => {
    const output = await outputOf('informer');
    for (const type of ['added', 'deleted']) {
      const reported = [...output.matchAll(new RegExp(`^${type} (.*)$`, 'gm'))].map(([, name]) => name);
      assert.deepEqual(reported, ['web-0', 'web-1', 'web-2']);
    }
    assert.match(output, /^modified web-2$/m);
  });

  test('the program informer finds Pods by label and by namespace, and serves two listeners with one watch', async () => {
    const output = await outputOf('informer');
    assert.match(output, /^indexer, label 'tour': web-0, web-1, web-2$/m);
    assert.match(output, /^indexer, namespace default: web-0, web-1, web-2$/m);
    assert.match(output, /^a second listener of the same watch received the same changes$/m);
  });

  test('the program controller retries a key that fails, and drops a key that always fails', async () => {
    const lines = (await outputOf('controller')).trim().split('\n');
    const linesOf = (name: string) =>
      lines.filter((line) => line.includes(name)).map((line) => line.replaceAll(name, 'it'));
    const retry = (attempt: number): string => `error syncing it: Error: simulated error; retry ${attempt}`;
    const end = 'it no longer exists';
    assert.deepEqual(linesOf('good'), ['synced it', end]);
    assert.deepEqual(linesOf('flaky'), [retry(1), retry(2), 'synced it', end]);
    const dropped = 'dropped it from the queue: Error: simulated error';
    assert.deepEqual(linesOf('broken'), [retry(1), retry(2), retry(3), dropped, end]);
  });

  test('the program in-cluster uses the kubeconfig outside a Pod', async () => {
    const output = await outputOf('in-cluster');
    assert.match(
      output,
      /^not running in a Pod: KUBERNETES_SERVICE_HOST is not set\nconnected as \S+\nnamespaces: .*\bdefault\b/,
    );
    assert.match(output, /^Pod example-xxxxx not found in namespace default$/m);
  });

  test('the program in-cluster runs in a Pod as its service account, with the permissions of config/rbac', async () => {
    const account = await serviceAccount();
    const { hostname, port } = new URL(env.connection.server);
    const preload = new URL('service-account-folder.js', import.meta.url).href;
    const variables = {
      KUBECONFIG: '',
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      NODE_OPTIONS: `--import=${preload}`,
      TEST_SERVICE_ACCOUNT: account,
    };
    await using program = await OperatorProcess.start('client-go-tour/dist/in-cluster.js', env, { variables });
    const { code, out, err } = await program.ended;
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^running in a Pod\nconnected as system:serviceaccount:default:in-cluster\nnamespaces: /);
    assert.match(out, /^the cluster has \d+ Pods\nPod example-xxxxx not found in namespace default$/m);
  });

  test('the program watch reports changes between the list and the start of the watch', async () => {
    assert.deepEqual((await outputOf('watch')).trim().split('\n'), [
      'listed   dark',
      'added    light: white',
      'modified light: yellow',
      'deleted  dark: black',
      'deleted  light: yellow',
    ]);
  });

  test('the program dynamic finds a kind by its name, and reads and changes an object of this kind', async () => {
    const output = await outputOf('dynamic');
    assert.match(output, /^found Deployment: apps\/v1, deployments, namespaced$/m);
    assert.match(output, /^typed: 2 replicas of nginx:1\.12$/m);
  });

  test('the program discovery prints names, subresources and versions', async () => {
    const output = await outputOf('discovery');
    assert.match(output, /^ {2}Deployment +deployments, deploy, \/scale, \/status$/m);
    assert.match(output, /^po is short for Pod, deploy for Deployment, no for Node$/m);
    assert.match(output, /^scalable: Deployment, ReplicaSet, ReplicationController, StatefulSet$/m);
    assert.match(output, /^the preferred version of HorizontalPodAutoscaler is autoscaling\/v2$/m);
    assert.match(output, /^KIND_NOT_SERVED: the API server does not serve Deploymint of group 'apps'/m);
  });

  test('the tests cover all programs of the tour', () => {
    const known = ['deployment', 'work-queue', 'informer', 'watch', 'reflector', 'controller', 'dynamic'];
    assert.deepEqual(programs, [...known, 'leader-election', 'discovery', 'in-cluster']);
  });

  test('the program deployment fails if the name is already taken', async () => {
    const { code, err } = await endOfTakenName();
    assert.equal(code, 1);
    const taken = 'create Deployment default/demo-deployment: deployments.apps "demo-deployment" already exists';
    assert.ok(err.includes(taken), err);
  });

  test('the program candidate recreates a deleted Lease, and exits with 75 when the API server is unreachable', async (t) => {
    await using candidate = await OperatorProcess.start('client-go-tour/dist/candidate.js', env, {
      args: ['eve', 'hers'],
    });
    const key = { namespace: 'default', name: 'hers' };
    const isHeld = ({ spec }: Lease): boolean => spec?.holderIdentity === 'eve';
    await candidate.until(/^eve is the leader$/m);
    const lease = await env.cluster.cache.until(Lease, key, isHeld);
    await env.client.delete(lease);
    await env.cluster.cache.until(Lease, key, (now) => now.metadata.uid !== lease.metadata.uid && isHeld(now));
    await Promise.all([...programs.map(outputOf), endOfTakenName()]);
    if (server === 'existing') return t.skip('an existing cluster is not killed');
    await (server === 'embedded' ? env.server.stop() : env.controlPlane.killApiServer());
    const { code, out } = await candidate.ended;
    assert.equal(code, 75);
    assert.match(out, /"LEADERSHIP_LOST".*"msg":"no longer leading"/);
    assert.equal([...out.matchAll(/is the leader$/gm)].length, 1, 'the candidate lost and regained the Lease');
  });
});

test('the program reflector lists again when the resourceVersion of its watch has expired', async () => {
  let expired = false;
  const onWatchEvent = ({ resource }: PlannedWatchEvent): WatchFault | undefined => {
    if (expired || resource !== 'configmaps') return undefined;
    expired = true;
    return { kind: 'expire' };
  };
  await using broken = await TestEnvironment.start({ server, faults: { onWatchEvent } });
  await using program = await OperatorProcess.start('client-go-tour/dist/reflector.js', broken);
  const { code, out, err } = await program.ended;
  assert.deepEqual([code, err], [0, '']);
  assert.deepEqual(out.trim().split('\n'), [
    'replaced 2 objects; store: theme-dark, theme-light',
    'the resourceVersion of the watch expired; listing again',
    'replaced 0 objects; store: empty',
  ]);
});
