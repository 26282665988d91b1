import assert from 'node:assert/strict';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cliVersion } from '../command/cli-version.js';
import { ProgramFolder } from '../test-support/program-folder.js';
import { checkTsconfig, checkTypeScript } from './check-compiler.js';
import { checkGenerated } from './check-generated.js';
import { checkPackages } from './check-packages.js';
import { checkContainerEngine, checkKubectl, checkNode, checkPackageManager } from './check-programs.js';
import type { Finding } from './finding.js';
import { isAtLeast } from '../command/version-order.js';

const reported = ({ state, found }: Finding): string => `${state}: ${found}`;
/** Creates a project with installed packages. `versions` contains the version of each package by its path in node_modules. */
async function packages(versions: Readonly<Record<string, string>>): Promise<ProgramFolder> {
  const folder = await ProgramFolder.create({ 'package.json': '{}' });
  await rm(join(folder.root, 'node_modules'));
  for (const [path, version] of Object.entries(versions)) {
    await folder.write(`node_modules/${path}/package.json`, JSON.stringify({ version }));
  }
  return folder;
}
/** Creates a folder with shell scripts that replace programs, and an environment whose PATH contains only this folder. */
async function programs(texts: Readonly<Record<string, string>>) {
  const folder = await ProgramFolder.create({});
  for (const [name, text] of Object.entries(texts)) {
    await folder.write(name, `#!/bin/sh\n${text}\n`);
    await chmod(join(folder.root, name), 0o755);
  }
  return { cwd: folder.root, env: { PATH: folder.root }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('doctor', () => {
  it('kubewright doctor compares versions numerically', () => {
    for (const [version, oldest] of [
      ['20.19.0', '20.19'],
      ['20.100', '20.19'],
      ['v22', '20.19'],
      ['7.0.0-rc.1', '7'],
    ] as const) {
      assert.ok(isAtLeast(version, oldest), `${version} ${oldest}`);
    }
    assert.ok(!isAtLeast('20.9.9', '20.19'));
    assert.ok(!isAtLeast('5.8.3', '5.9'));
  });

  it('kubewright doctor reports an unsupported version of Node.js', () => {
    assert.equal(reported(checkNode('20.19.0')), 'ok: Node.js 20.19.0');
    assert.deepEqual(checkNode('18.20.1'), {
      check: 'node',
      state: 'wrong',
      found: 'Node.js 18.20.1 is too old',
      remedy: 'install Node.js 20.19 or newer',
    });
  });

  it('kubewright doctor warns about a missing package manager, kubectl, or container engine', async () => {
    await using none = await programs({});
    assert.equal(reported(await checkPackageManager(none)), 'warning: cannot run npm');
    assert.equal(reported(await checkKubectl(none)), 'warning: cannot run kubectl');
    assert.equal(
      reported(await checkContainerEngine(none)),
      'warning: found no docker, podman, nerdctl or buildah in PATH',
    );
    await using all = await programs({
      'pnpm-lock.yaml': '',
      pnpm: 'echo 9.1.0',
      kubectl: 'echo "Client Version: v1.36.3"',
      docker: 'exit 1',
    });
    assert.equal(reported(await checkPackageManager(all)), 'ok: pnpm 9.1.0');
    assert.equal(reported(await checkKubectl(all)), 'ok: kubectl 1.36.3');
    assert.equal(reported(await checkContainerEngine(all)), 'warning: docker does not answer');
  });

  it('kubewright doctor finds the first container engine that responds, or the engine in KUBEWRIGHT_CONTAINER_ENGINE', async () => {
    await using all = await programs({
      docker: 'echo "cannot connect to the daemon." >&2; exit 1',
      podman: 'echo "podman version 5.2.0"',
      buildah: 'echo "buildah version 1.41.3 (image-spec 1.1.1)"',
    });
    assert.equal(reported(await checkContainerEngine(all)), 'ok: podman 5.2.0');
    const checked = async (engine: string): Promise<string> =>
      reported(await checkContainerEngine({ ...all, env: { ...all.env, KUBEWRIGHT_CONTAINER_ENGINE: engine } }));
    assert.equal(await checked('buildah'), 'ok: buildah 1.41.3');
    assert.equal(await checked('docker'), 'warning: docker does not answer: cannot connect to the daemon');
    assert.equal(await checked('nerdctl'), 'warning: found no nerdctl in PATH');
    assert.equal(
      await checked('dcoker'),
      "warning: KUBEWRIGHT_CONTAINER_ENGINE is 'dcoker'; set it to one of docker, podman, nerdctl, buildah",
    );
    await using alone = await programs({ buildah: 'echo "buildah version 1.41.3 (image-spec 1.1.1)"' });
    assert.equal(reported(await checkContainerEngine(alone)), 'ok: buildah 1.41.3');
  });

  it('kubewright doctor reports a missing or unsupported version of TypeScript', async () => {
    await using none = await packages({});
    assert.equal(reported(checkTypeScript(none.root)), 'wrong: TypeScript is not installed');
    await using old = await packages({ typescript: '5.8.3' });
    assert.equal(reported(checkTypeScript(old.root)), 'wrong: TypeScript 5.8.3 is too old');
    await using fit = await packages({ typescript: '7.0.2' });
    assert.equal(reported(checkTypeScript(fit.root)), 'ok: TypeScript 7.0.2');
  });

  it('kubewright doctor reports compiler options without the values that decorators require', async () => {
    const options = { experimentalDecorators: true, emitDecoratorMetadata: true, useDefineForClassFields: false };
    const find = async (compilerOptions: object): Promise<readonly string[]> => {
      await using folder = await ProgramFolder.create({ 'tsconfig.json': JSON.stringify({ compilerOptions }) });
      return (await checkTsconfig(folder.root)).map(reported);
    };
    assert.deepEqual(await find({ ...options, strict: true }), [
      'ok: tsconfig.json has the options that decorators require',
    ]);
    const found = await find({ experimentalDecorators: true });
    assert.deepEqual(
      found.map((each) => each.split(':', 2).join(':')),
      [
        'wrong: "emitDecoratorMetadata" is not true',
        'wrong: "useDefineForClassFields" is not false',
        'warning: "strict" is not true',
      ],
    );
    await using broken = await ProgramFolder.create({ 'tsconfig.json': '{' });
    const [finding] = await checkTsconfig(broken.root);
    assert.match(finding?.found ?? '', /^cannot read .*tsconfig\.json: /);
  });

  it('kubewright doctor reports packages that are duplicated, missing, or incompatible', async () => {
    const version = cliVersion();
    const fit = {
      '@kubewright/api': version,
      '@kubewright/runtime': version,
      'reflect-metadata': '0.2.2',
      tsyringe: '4.10.0',
    };
    const find = async (more: Readonly<Record<string, string>>, node = '20.19.0'): Promise<readonly string[]> => {
      await using folder = await packages({ ...fit, ...more });
      return checkPackages(folder.root, node).map(reported);
    };
    assert.deepEqual(await find({}), [`ok: all Kubewright packages have version ${version}, with one copy of each`]);
    assert.deepEqual(await find({ '@kubewright/runtime/node_modules/tsyringe': '4.9.0' }), [
      'wrong: there are 2 copies of tsyringe: 4.10.0 in node_modules/tsyringe, 4.9.0 in node_modules/@kubewright/runtime/node_modules/tsyringe',
    ]);
    assert.deepEqual(await find({ '@kubewright/testing': '9.9.9' }), [
      `wrong: @kubewright/testing has version 9.9.9, but kubewright has version ${version}`,
    ]);
    assert.deepEqual(await find({ '@kubernetes/client-node': '2.0.1' }), [
      'wrong: Node.js 20.19.0 cannot load @kubernetes/client-node 2.0.1',
    ]);
    assert.equal((await find({ '@kubernetes/client-node': '2.0.1' }, '22.20.0')).length, 1);
    await using bare = await packages({ '@kubewright/api': version });
    assert.deepEqual(checkPackages(bare.root).map(reported), [
      'wrong: @kubewright/runtime is not installed',
      'wrong: reflect-metadata is not installed',
      'wrong: tsyringe is not installed',
    ]);
  });

  it('kubewright doctor reports the number of outdated generated files', () => {
    const none = { write: new Map(), remove: [], skipped: [] };
    assert.deepEqual(checkGenerated(none).map(reported), ['ok: the generated files are up to date']);
    assert.deepEqual(
      checkGenerated({
        write: new Map([['config/a.yaml', '']]),
        remove: ['config/b.yaml'],
        skipped: [
          { path: 'config/c.yaml', reason: 'no-header' },
          { path: 'config/default/kustomization.yaml', reason: 'user-owned' },
        ],
      }).map(reported),
      [
        'wrong: 2 generated files are out of date',
        "warning: config/c.yaml is not a generated file, but 'kubewright generate' would generate a file with this path",
      ],
    );
  });
});
