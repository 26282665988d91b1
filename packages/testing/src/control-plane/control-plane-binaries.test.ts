import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ControlPlaneBinaries } from './control-plane-binaries.js';

describe('ControlPlaneBinaries', () => {
  let root: string;
  const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({ XDG_CACHE_HOME: root, ...more });
  const selected = (version?: string, more?: NodeJS.ProcessEnv): string | undefined => {
    const found = ControlPlaneBinaries.find({ version, environment: environment(more) });
    return found === undefined ? undefined : basename(found.folder);
  };

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'kubewright-binaries-'));
    const folders = ['v1.9.9', 'v1.36.2', 'v1.36.10', 'v1.37.0'].map((name) =>
      join(root, 'kubewright', 'control-plane', name),
    );
    for (const folder of [...folders, join(root, 'own'), join(root, 'envtest')]) {
      mkdirSync(folder, { recursive: true });
      for (const program of ['etcd', 'kube-apiserver']) writeFileSync(join(folder, program), '');
    }
    mkdirSync(join(root, 'kubewright', 'control-plane', 'v1.38.0'));
  });
  after(() => rmSync(root, { recursive: true }));

  test('[OT-19] selects the newest version in the cache with kube-apiserver, in numeric order of the versions', () => {
    assert.equal(selected(), 'v1.37.0');
  });
  test('[OT-19] selects the requested version, or the newest version of the requested series', () => {
    assert.equal(selected('1.36.2'), 'v1.36.2');
    assert.equal(selected('v1.36'), 'v1.36.10');
    assert.equal(selected('1.9'), 'v1.9.9');
  });
  test('[OT-19] prefers the folder of an environment variable to the cache', () => {
    const own = { KUBEWRIGHT_CONTROL_PLANE: join(root, 'own') };
    const envtest = { KUBEBUILDER_ASSETS: join(root, 'envtest') };
    assert.equal(selected(undefined, envtest), 'envtest');
    assert.equal(selected('1.36', { ...own, ...envtest }), 'own');
  });
  test('[OT-19] rejects an invalid version, and lists the versions in the cache if the requested version is missing', () => {
    assert.throws(() => selected('latest'), { code: 'INVALID_VERSION', message: /'latest' is not a valid version/ });
    assert.equal(selected('1.3'), undefined);
    assert.throws(() => ControlPlaneBinaries.get({ version: '1.35', environment: environment() }), {
      code: 'NO_CONTROL_PLANE',
      message: /found no programs of version 1\.35, only of v1\.38\.0, v1\.37\.0, v1\.36\.10, v1\.36\.2, v1\.9\.9/,
    });
  });
});
