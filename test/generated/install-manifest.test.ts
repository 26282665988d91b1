import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { installManifest, manifestsOf } from '@kubewright/cli';
import { parseAllDocuments } from 'yaml';
import { kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { exampleInput, exampleNames, writeManifests } from './example-operators.js';

const objects = (text: string): readonly unknown[] => parseAllDocuments(text).map((each) => each.toJS() as unknown);

const binaries = kubectlBinaries();

if (binaries.length === 0) test('kubectl builds config/default of every operator', { skip: NO_KUBECTL });

for (const { name: kubectl, path } of binaries) {
  for (const example of exampleNames) {
    test(`the install manifest of an operator ${example} equals the output of ${kubectl} kustomize for config/default`, async () => {
      const input = exampleInput(example, 'example-operator');
      const folder = await mkdtemp(join(tmpdir(), 'kubewright-manifests-'));
      try {
        await writeManifests(input, folder);
        const built = spawnSync(path, ['kustomize', join(folder, 'config/default')], { encoding: 'utf8' });
        assert.equal(built.stderr, '');
        assert.deepEqual(objects(installManifest(manifestsOf(input))), objects(built.stdout));
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
}
