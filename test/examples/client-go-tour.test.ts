import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Deployment } from '@kubewright/api/apps/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { programs } from '@kubewright/example-client-go-tour';
import { TestEnvironment } from '@kubewright/testing';
import { chosenServer } from '../server/chosen-server.js';
import { type Ended, OperatorProcess, run } from './operator-process.js';
import { shownOutput } from './shown-output.js';

const server = chosenServer();
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
/** Does something once, however many tests look at how it ended. */
function once(name: string, work: () => Promise<Ended>): Promise<Ended> {
  const ended = ran.get(name) ?? work();
  ran.set(name, ended);
  return ended;
}
/** What a program of the tour says from its start to its end, which has to be good. */
async function saidBy(program: string): Promise<string> {
  const { code, out, err } = await once(program, () => run([`examples/client-go-tour/dist/${program}.js`]));
  assert.equal(code, 0, `${out}${err}`);
  assert.equal(err, '');
  return out;
}
/** How the first program ends while a Deployment of its name is there. */
function endOfTakenName(): Promise<Ended> {
  return once('a name that is taken', async () => {
    await saidBy('deployment');
    const labels = { app: 'other' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx' }] } };
    const metadata = { namespace: 'default', name: 'demo-deployment' };
    await env.client.create(new Deployment({ metadata, spec: { selector: { matchLabels: labels }, template } }));
    return await run(['examples/client-go-tour/dist/deployment.js']);
  });
}

describe('each program of the tour says what it does', { concurrency: true }, () => {
  for (const program of ['deployment', 'work-queue', 'informer', 'dynamic']) {
    test(`${program}, as its README shows it`, async () => {
      assert.match(await saidBy(program), shownOutput('client-go-tour', program));
    });
  }

  test('leader-election, as its README shows it, whoever is the first to lead', async () => {
    const said = await saidBy('leader-election');
    const leaders = [...said.matchAll(/^(\w+) leads$/gm)].map(([, name = '']) => name);
    assert.deepEqual(new Set(leaders), new Set(['anna', 'ben', 'cleo']));
    const names = new Map(leaders.map((name, at) => [name, ['anna', 'ben', 'cleo'][at] ?? '']));
    const inOrder = said.replaceAll(/anna|ben|cleo/g, (name) => names.get(name) ?? name);
    assert.match(inOrder, shownOutput('client-go-tour', 'leader-election'));
  });

  test('deployment leaves nothing behind', async () => {
    assert.match(await saidBy('deployment'), /^deleted it; found after that: undefined$/m);
  });

  test('work-queue keeps to the order of times and of failures', async () => {
    const said = await saidBy('work-queue');
    assert.match(said, /0 are ready, 2 wait for their time\n +first comes soon\n.* tomorrow comes today$/m);
    assert.match(said, /attempt 3 of flaky fails; again after 40 ms\n +attempt 4 goes well/);
    assert.match(said, /what waits is still handed out: last\n +then there is nothing: undefined$/m);
  });

  test('informer tells every Pod that comes and goes', async () => {
    const said = await saidBy('informer');
    for (const type of ['added', 'deleted']) {
      const told = [...said.matchAll(new RegExp(`^${type} (.*)$`, 'gm'))].map(([, name]) => name);
      assert.deepEqual(told, ['web-0', 'web-1', 'web-2']);
    }
  });

  test('watch tells what happened between the list and its own beginning', async () => {
    assert.deepEqual((await saidBy('watch')).trim().split('\n'), [
      'listed   dark',
      'added    light: white',
      'modified light: yellow',
      'deleted  dark: black',
      'deleted  light: yellow',
    ]);
  });

  test('dynamic finds, reads and changes what it knows by name alone', async () => {
    const said = await saidBy('dynamic');
    assert.match(said, /^found Deployment: apps\/v1, deployments, namespaced$/m);
    assert.match(said, /^typed: 2 replicas of nginx:1\.12$/m);
  });

  test('discovery tells names, subresources and versions', async () => {
    const said = await saidBy('discovery');
    assert.match(said, /^ {2}Deployment +deployments, deploy, \/scale, \/status$/m);
    assert.match(said, /^po is short for Pod, deploy for Deployment, no for Node$/m);
    assert.match(said, /^can be scaled: Deployment, ReplicaSet, ReplicationController, StatefulSet$/m);
    assert.match(said, /best asked for in autoscaling\/v2$/m);
    assert.match(said, /^KIND_NOT_SERVED: the API server does not serve Deploymint of the group 'apps'/m);
  });

  test('those are all the programs that there are', () => {
    const known = ['deployment', 'work-queue', 'informer', 'watch', 'dynamic', 'leader-election', 'discovery'];
    assert.deepEqual(programs, known);
  });

  test('broken: a name that is taken ends the program', async () => {
    const { code, err } = await endOfTakenName();
    assert.equal(code, 1);
    const taken = 'create Deployment default/demo-deployment: deployments.apps "demo-deployment" already exists';
    assert.ok(err.includes(taken), err);
  });

  test('broken: a Lease that is deleted under its holder is made again, and who loses the API server leads no more', async (t) => {
    await using candidate = await OperatorProcess.start('client-go-tour/dist/candidate.js', env, {
      args: ['eve', 'hers'],
    });
    const key = { namespace: 'default', name: 'hers' };
    const isHeld = ({ spec }: Lease): boolean => spec?.holderIdentity === 'eve';
    await candidate.until(/^eve leads$/m);
    const lease = await env.cluster.cache.until(Lease, key, isHeld);
    await env.client.delete(lease);
    await env.cluster.cache.until(Lease, key, (now) => now.metadata.uid !== lease.metadata.uid && isHeld(now));
    await Promise.all([...programs.map(saidBy), endOfTakenName()]);
    if (server === 'existing') return t.skip('an existing cluster is not killed');
    await (server === 'embedded' ? env.server.stop() : env.controlPlane.killApiServer());
    const { code, out } = await candidate.ended;
    assert.equal(code, 75);
    assert.match(out, /"LEADERSHIP_LOST".*"msg":"no longer leading"/);
    assert.equal([...out.matchAll(/leads$/gm)].length, 1, 'it led all the while');
  });
});
