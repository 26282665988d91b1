import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { installManifest, type ManifestsInput, manifestsOf } from '@kubewright/cli';
import { parseAllDocuments } from 'yaml';
import { kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { exampleInput, exampleNames, writeManifests } from './example-operators.js';
import { webhookOperator } from './webhook-operator.js';

const objects = (text: string): readonly unknown[] => parseAllDocuments(text).map((each) => each.toJS() as unknown);

const binaries = kubectlBinaries();

const inputs: readonly (readonly [example: string, input: ManifestsInput])[] = [
  ...exampleNames.map((example) => [example, exampleInput(example, 'example-operator')] as const),
  ['with webhooks', webhookOperator('rack-operator')],
  ['with webhooks and cert-manager', webhookOperator('rack-operator', { source: 'cert-manager' })],
];

describe('kubectl builds config/default of every operator', { skip: binaries.length === 0 && NO_KUBECTL }, () => {
  for (const { name: kubectl, path } of binaries) {
    for (const [example, input] of inputs) {
      test(`the install manifest of an operator ${example} equals the output of ${kubectl} kustomize for config/default`, async () => {
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
});
