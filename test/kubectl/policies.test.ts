import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { startEnvironment } from '../server/start-environment.js';
import { Kubectl, kubectlBinaries, NO_KUBECTL } from './kubectl.js';
import { settings } from './manifests.js';

const binaries = kubectlBinaries();

test('kubectl prints the message of a rejected request, and the warning of a binding with the action Warn', {
  skip: binaries.length === 0 && NO_KUBECTL,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-policies-'));
  try {
    await using environment = await startEnvironment();
    const kubeconfig = join(folder, 'kubeconfig');
    await environment.writeKubeconfig(kubeconfig);
    const manager = environment.manager().enforce({
      name: 'config-map-names',
      for: ConfigMap,
      validations: [
        {
          rule: 'object.metadata.name.size() <= 10',
          messageExpression:
            "'the name has ' + string(object.metadata.name.size()) + ' characters, but at most 10 are allowed'",
        },
      ],
      bindings: [
        { name: 'strict', objectSelector: { matchLabels: { level: 'strict' } } },
        { name: 'lenient', actions: ['Warn'], objectSelector: { matchLabels: { level: 'lenient' } } },
      ],
    });
    await manager.start();
    for (const binary of binaries) {
      const kubectl = new Kubectl(binary, { kubeconfig, home: folder, namespace: 'default' });
      const map = (name: string, level: string): object => settings(name, {}, { level });
      assert.match(
        await kubectl.refused('apply -f -', map('a-very-long-name', 'strict')),
        /ValidatingAdmissionPolicy '.*config-map-names' with binding '.*config-map-names-strict' denied request: the name has 16 characters, but at most 10 are allowed/,
      );
      await kubectl.ok('apply -f -', map('short', 'strict'));
      const { code, err } = await kubectl.run('apply -f -', map('a-very-long-name', 'lenient'));
      assert.equal(code, 0);
      assert.match(err, /^Warning: .*the name has 16 characters, but at most 10 are allowed$/m);
      await kubectl.ok('delete configmap short a-very-long-name');
    }
    await manager.stop();
  } finally {
    await rm(folder, { recursive: true });
  }
});
