import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import type { FaultPlan } from '@kubewright/apiserver';
import { ClusterProject } from './cluster-projects.js';
import { testDeploying } from './deploying.js';
import { RunningCommand } from './running-command.js';

describe('install, deploy, undeploy and uninstall on the embedded server', () => {
  testDeploying('embedded');
});

describe('kubewright deploy', () => {
  it('deploy reports the progress, and why the operator does not become available', async () => {
    await using cluster = await ClusterProject.create({}, { workloads: ['deployments', 'replicasets'] });
    const namespace = 'foo-operator-system';
    await using deploy = new RunningCommand(cluster.project.startHere(['deploy'], cluster.variables));
    await deploy.until(/^ {2}Deployment foo-operator-system\/foo-operator-controller-manager: 0 of 1 available$/);
    await using pods = await cluster.env.cluster.cache.informer(Pod, { namespace });
    for await (const { object } of pods.changes()) {
      const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "foo-operator:latest"' };
      const image = 'foo-operator:latest';
      const container = { name: 'manager', image, imageID: '', ready: false, restartCount: 0, state: { waiting } };
      await cluster.env.client.patchStatus(object, { containerStatuses: [container] });
      break;
    }
    await deploy.until(
      /^error: Deployment .* is not available: cannot pull the image foo-operator:latest \(ImagePullBackOff: Back-off .*\); push the image, load it/,
    );
    assert.equal(await deploy.closed, 4);
  });

  it('deploy stops waiting after the timeout, and requires confirmation for a cluster that does not look local', async () => {
    await using cluster = await ClusterProject.create({}, { workloads: false });
    const late = await cluster.run(['deploy', '--timeout', '2s']);
    assert.equal(late.exitCode, 4);
    assert.match(late.stderr, /\nerror: Deployment .* is not available: 0 of 1 available after 2 s\n$/);
    const odd = await cluster.run(['deploy', '--timeout', 'soon']);
    assert.deepEqual(
      [odd.exitCode, odd.stderr],
      [2, 'error: invalid --timeout soon: use a duration such as 90s or 5m\n'],
    );
    const far = await cluster.runWith((text) => text.replace('127.0.0.1', '0.0.0.0'), ['deploy', '--no-wait']);
    assert.equal(far.exitCode, 2);
    assert.match(
      far.stderr,
      /^error: did not deploy foo-operator: the cluster .* does not seem to run on this machine; pass --yes/,
    );
  });

  it('deploy reports after the timeout why it cannot read the Deployment, or the Pods of the Deployment', async () => {
    let resource = 'deployments';
    const faults: FaultPlan = {
      onRequest: (request) =>
        /^(?:list|watch)$/.test(request.verb) && request.resource === resource
          ? { kind: 'status', code: 403 }
          : undefined,
    };
    await using cluster = await ClusterProject.create({}, { workloads: false, faults });
    const unknown = await cluster.run(['deploy', '--timeout', '2s']);
    assert.equal(unknown.exitCode, 4);
    assert.match(
      unknown.stderr,
      /^error: Deployment .* is not available: its state is unknown after 2 s: cannot (?:list|watch) deployments/m,
    );
    resource = 'pods';
    const waiting = await cluster.run(['deploy', '--timeout', '2s']);
    assert.equal(waiting.exitCode, 4);
    assert.match(
      waiting.stderr,
      /^error: Deployment .* is not available: 0 of 1 available after 2 s: cannot (?:list|watch) pods/m,
    );
  });

  it('deploy applies the policies after the Deployment, and deletes policies that the operator no longer has', async () => {
    const enforce = `manager.enforce({ name: 'counts', for: Foo, validations: [{ rule: 'object.spec.count < 9' }] });\n`;
    const main = (policy: string): string => `import { Manager } from '@kubewright/runtime';
import { Foo } from './api/v1/foo.js';
import { FooController } from './controllers/foo-controller.js';

const manager = new Manager({ leaderElection: 'foo-operator' }).add(FooController);
${policy}export const kind = Foo;
await manager.start();
`;
    await using cluster = await ClusterProject.create({ 'src/main.ts': main(enforce) });
    const created = await cluster.done(['deploy']);
    const lines = created.split('\n').filter((line) => /^created (Deployment|Validating)/.test(line));
    assert.deepEqual(lines, [
      'created Deployment foo-operator-system/foo-operator-controller-manager',
      'created ValidatingAdmissionPolicy foo-operator-counts',
      'created ValidatingAdmissionPolicyBinding foo-operator-counts',
    ]);
    assert.match(await cluster.done(['deploy']), /^nothing changed: /m);
    await cluster.project.write('src/main.ts', main(''));
    const reported = await cluster.done(['deploy']);
    assert.match(reported, /^deleted ValidatingAdmissionPolicyBinding foo-operator-counts$/m);
    assert.match(reported, /^deleted ValidatingAdmissionPolicy foo-operator-counts$/m);
  });

  it('deploy and undeploy search for kubectl in the PATH of the command, not of the process', async () => {
    const key = { name: 'by-kubectl', namespace: 'default' };
    const configMap = `apiVersion: v1\nkind: ConfigMap\nmetadata: ${JSON.stringify(key)}\n`;
    await using cluster = await ClusterProject.create({
      'bin/kubectl': `#!/bin/sh\necho '${configMap}'\n`,
      'config/default/kustomization.yaml': 'resources:\n- ../manager\nnamePrefix: a-\n',
    });
    await chmod(join(cluster.project.root, 'bin/kubectl'), 0o755);
    const env = { ...cluster.variables, PATH: join(cluster.project.root, 'bin') };
    const deployed = await cluster.project.run(['deploy'], env);
    assert.equal(deployed.exitCode, 0, deployed.stderr);
    assert.match(deployed.stdout, /^created ConfigMap default\/by-kubectl$/m);
    const undeployed = await cluster.project.run(['undeploy'], env);
    assert.equal(undeployed.exitCode, 0, undeployed.stderr);
    assert.match(undeployed.stdout, /^deleted ConfigMap default\/by-kubectl$/m);
    assert.equal(await cluster.env.client.find(ConfigMap, key), undefined);
  });

  it('install reports credentials that the cluster rejects, and a server certificate that it cannot verify', async () => {
    await using cluster = await ClusterProject.create();
    const unknown = await cluster.runWith((text) => text.replace(/token: .*/, 'token: nobody'), ['install']);
    assert.equal(unknown.exitCode, 4);
    assert.match(unknown.stderr, /^error: the cluster of context .* rejected the credentials: .*; log in again/);
    const untrusted = await cluster.runWith(
      (text) => text.replace(/.*certificate-authority-data.*\n/, ''),
      ['install'],
    );
    assert.equal(untrusted.exitCode, 4);
    assert.match(
      untrusted.stderr,
      /^error: cannot verify the certificate of the cluster of context .*; add the certificate authority/,
    );
  });
});
