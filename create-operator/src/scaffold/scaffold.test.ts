import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPackageManager, packageManagerOf, packageManagers } from './package-managers.js';
import { scaffold } from './scaffold.js';
import type { ScaffoldOptions } from './scaffold-options.js';

const options: ScaffoldOptions = {
  name: 'web-operator',
  domain: 'example.com',
  group: 'web',
  kind: 'VirtualMachine',
  version: 'v1beta1',
  namespaced: true,
};

describe('scaffold', () => {
  for (const packageManager of Object.keys(packageManagers).filter(isPackageManager)) {
    it(`scaffold uses ${packageManager} in package.json, in the README, in CI, and in the image`, () => {
      const { lockFile, ci, run, settings, setUp, fields = {}, ignored } = packageManagers[packageManager];
      const files = scaffold({ ...options, packageManager });
      const read = settings === undefined ? lockFile : `${lockFile} ${settings.path}`;
      assert.ok(files.get('Dockerfile')?.includes(`COPY package.json ${read} .npmrc* ./\nRUN ${ci}\n`));
      assert.ok(files.get('.github/workflows/ci.yml')?.includes(`- run: ${ci}\n`));
      for (const path of ['Dockerfile', '.github/workflows/ci.yml']) {
        if (setUp !== undefined) assert.match(files.get(path) ?? '', new RegExp(`[Rr][Uu][Nn]:? ${setUp}\n`));
      }
      assert.ok(files.get('README.md')?.includes(`    ${run} dev\n`));
      if (settings !== undefined) assert.equal(files.get(settings.path), settings.text);
      const made = JSON.parse(files.get('package.json') ?? '') as Readonly<Record<string, unknown>>;
      for (const field of ['packageManager', 'allowScripts']) assert.deepEqual(made[field], fields[field]);
      if (ignored !== undefined) assert.ok(files.get('.gitignore')?.split('\n').includes(ignored));
    });
  }

  for (const packageManager of Object.keys(packageManagers).filter(isPackageManager)) {
    it(`scaffold overrides direct and transitive Kubewright packages with tarballs for ${packageManager}`, () => {
      const tarballs = { '@kubewright/api': 'vendor/api.tgz', 'create-operator': 'vendor/create.tgz' };
      const files = scaffold({ ...options, packageManager, tarballs });
      const made = JSON.parse(files.get('package.json') ?? '');
      assert.equal(made.dependencies['@kubewright/api'], 'file:vendor/api.tgz');
      const specs = { '@kubewright/api': 'file:vendor/api.tgz', 'create-operator': 'file:vendor/create.tgz' };
      assert.deepEqual(made.overrides ?? made.resolutions ?? made.pnpm.overrides, specs);
      const { settings } = packageManagers[packageManager];
      const lines =
        "overrides:\n  '@kubewright/api': file:vendor/api.tgz\n  'create-operator': file:vendor/create.tgz\n";
      assert.equal(files.get(settings?.path ?? '')?.includes(lines) === true, packageManager === 'pnpm');
      assert.match(files.get('Dockerfile') ?? '', /\.npmrc\* \.\/\nCOPY vendor \.\/vendor\nRUN /);
    });
  }

  it('scaffold includes the list of workspace packages that pnpm 9 requires', () => {
    assert.match(
      scaffold({ ...options, packageManager: 'pnpm' }).get('pnpm-workspace.yaml') ?? '',
      /^packages:\n {2}- \.\n/,
    );
  });

  it('scaffold derives file paths from the kind and the version, and with multiGroup also from the group', () => {
    const paths = [...scaffold({ ...options, multiGroup: true }).keys()].filter((path) => /src|samples/.test(path));
    assert.deepEqual(paths, [
      'config/samples/web_v1beta1_virtualmachine.yaml',
      'src/main.ts',
      'src/api/web/v1beta1/virtual-machine.ts',
      'src/controllers/virtual-machine-controller.ts',
      'src/controllers/virtual-machine-controller.test.ts',
    ]);
    assert.ok(
      scaffold({ ...options, group: '', multiGroup: true }).has('src/api/example.com/v1beta1/virtual-machine.ts'),
    );
  });

  it('scaffold ends each file with exactly one newline, and writes no trailing spaces', () => {
    for (const [path, text] of scaffold(options)) {
      assert.match(text, /[^\n]\n$/, path);
      assert.doesNotMatch(text, /[ \t]\n|\t/, path);
    }
  });
});

it('packageManagerOf returns the package manager that runs the program', () => {
  const agents = {
    'yarn/4.1.0 npm/? node/v20.19.0': 'yarn',
    'yarn/1.22.22 npm/? node/v20.19.0': 'npm',
    'bun/1.1.0 npm/? node/v22': 'bun',
    'x/1': 'npm',
  };
  for (const [npm_config_user_agent, name] of Object.entries(agents)) {
    assert.equal(packageManagerOf({ npm_config_user_agent }), name);
  }
  assert.equal(packageManagerOf({}), 'npm');
});
