import { test } from 'node:test';
import { installManifest, manifestsOf } from '@kubewright/cli';
import { assertGolden } from './golden-files.js';
import { webhookOperator } from './webhook-operator.js';

test('the manifests of an operator with webhooks equal the golden files byte for byte', async () => {
  const managed = manifestsOf(webhookOperator('rack-operator'));
  await assertGolden('rack-operator', new Map([...managed, ['install.yaml', installManifest(managed)]]));
  const injected = manifestsOf(webhookOperator('rack-operator', { source: 'cert-manager' }));
  const changed = [...injected].filter(([path, text]) => managed.get(path) !== text);
  await assertGolden('rack-operator-cert-manager', new Map(changed));
});
