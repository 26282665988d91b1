import { test } from 'node:test';
import { installManifest, manifestsOf } from '@kubewright/cli';
import { exampleInput } from './example-operators.js';
import { assertGolden } from './golden-files.js';

test('the manifests of an operator equal the golden files byte for byte', async () => {
  const files = manifestsOf(exampleInput('with protected metrics', 'vm-operator'));
  await assertGolden('vm-operator', new Map([...files, ['install.yaml', installManifest(files)]]));
});
