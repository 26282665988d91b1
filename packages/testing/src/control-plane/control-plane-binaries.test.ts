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
    const partial = ['v1.34.0', 'v1.37.1'].map((name) => join(root, 'kubewright', 'control-plane', name));
    for (const folder of [...partial, join(root, 'partial')]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'kube-apiserver'), '');
    }
    mkdirSync(join(root, 'kubewright', 'control-plane', 'v1.38.0'));
  });
  after(() => rmSync(root, { recursive: true }));

  test('[OT-19] selects the newest version in the cache with kube-apiserver and etcd, in numeric order of the versions', () => {
    assert.equal(selected(), 'v1.37.0');
  });
  test('[OT-19] selects the requested version, or the newest version of the requested series', () => {
    assert.equal(selected('1.36.2'), 'v1.36.2');
    assert.equal(selected('v1.36'), 'v1.36.10');
    assert.equal(selected('1.9'), 'v1.9.9');
    assert.equal(selected('1.37'), 'v1.37.0');
    assert.equal(selected('1.37.1'), undefined);
  });
  test('[OT-19] prefers the folder of an environment variable to the cache', () => {
    const own = { KUBEWRIGHT_CONTROL_PLANE: join(root, 'own') };
    const envtest = { KUBEBUILDER_ASSETS: join(root, 'envtest') };
    assert.equal(selected(undefined, envtest), 'envtest');
    assert.equal(selected('1.36', { ...own, ...envtest }), 'own');
  });
  test('[OT-19] rejects an invalid version, and lists the complete versions in the cache if the requested version is missing', () => {
    assert.throws(() => selected('latest'), { code: 'INVALID_VERSION', message: /'latest' is not a valid version/ });
    assert.equal(selected('1.3'), undefined);
    assert.throws(() => ControlPlaneBinaries.get({ version: '1.35', environment: environment() }), {
      code: 'NO_CONTROL_PLANE',
      message: /found no programs of version 1\.35, only of v1\.37\.0, v1\.36\.10, v1\.36\.2, v1\.9\.9; set /,
    });
  });
  test('[OT-19] reports the missing programs of the folder in a variable, and ignores the version', () => {
    const message = (version: string | undefined, more: NodeJS.ProcessEnv): string => {
      try {
        ControlPlaneBinaries.get({ version, environment: environment(more) });
      } catch (error) {
        return String(error);
      }
      return 'no error';
    };
    const [partial, absent] = [join(root, 'partial'), join(root, 'absent')];
    for (const variable of ['KUBEWRIGHT_CONTROL_PLANE', 'KUBEBUILDER_ASSETS']) {
      for (const version of [undefined, '1.35', '1.36']) {
        const reason = (folder: string): string =>
          message(version, { [variable]: folder }).replace(/^.*cannot start a control plane: /, '');
        assert.ok(reason(partial).startsWith(`${partial}, the folder in ${variable}, does not contain etcd; set `));
        assert.ok(
          reason(absent).startsWith(`${absent}, the folder in ${variable}, does not contain etcd and kube-apiserver; `),
        );
      }
    }
  });
  test('[OT-19] the remedy includes unsetting the variable that takes precedence', () => {
    const environment = { KUBEWRIGHT_CONTROL_PLANE: join(root, 'absent'), KUBEBUILDER_ASSETS: join(root, 'envtest') };
    assert.throws(() => ControlPlaneBinaries.get({ environment }), {
      message: /kube-apiserver, or unset it and set KUBEBUILDER_ASSETS as printed by /,
    });
  });
  test('[OT-19] reports the missing program of a version in the cache', () => {
    const get = (version: string | undefined, cache: string): unknown =>
      ControlPlaneBinaries.get({ version, environment: { XDG_CACHE_HOME: cache } });
    for (const version of ['1.34', '1.37.1']) {
      assert.throws(() => get(version, root), {
        code: 'NO_CONTROL_PLANE',
        message: /control plane: .*v1\.(34\.0|37\.1) does not contain etcd; set /,
      });
    }
    assert.throws(() => get(undefined, join(root, 'absent')), { message: /: found no programs; set / });
    assert.throws(() => get('1.35', join(root, 'absent')), { message: /: found no programs of version 1\.35; set / });
  });
});
