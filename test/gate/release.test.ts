import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Package {
  readonly folder: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}
interface Release {
  manifestProblems(packages: readonly Package[], repository: object): readonly string[];
  dependencyLicenseProblems(lock: object): readonly string[];
  changelogSection(changelog: string, version: string): string | undefined;
  publishRefusals(state: object): readonly string[];
  inDependencyOrder(packages: readonly Package[]): readonly Package[];
  distTag(version: string): string;
}
interface Contents {
  readonly contentProblems: (folder: string, options: { readonly license: string }) => readonly string[];
}

const script = async (name: string): Promise<unknown> => await import(pathToFileURL(join(root, 'scripts', name)).href);
const release = (await script('release-problems.mjs')) as Release;
const { contentProblems } = (await script('content-problems.mjs')) as Contents;
const { publishedPackages } = (await script('published-packages.mjs')) as {
  readonly publishedPackages: () => readonly Package[];
};

const repository = { version: '1.2.3', license: 'Apache-2.0', repository: { url: 'git+https://example.com/a.git' } };
const api = {
  name: '@kubewright/api',
  version: '1.2.3',
  license: 'Apache-2.0',
  repository: { type: 'git', url: 'git+https://example.com/a.git', directory: 'packages/api' },
  publishConfig: { access: 'public', provenance: true },
  dependencies: { re2js: '^2.10.0' },
};
const problemsOf = (changes: object): readonly string[] =>
  release.manifestProblems([{ folder: 'packages/api', manifest: { ...api, ...changes } }], repository);

describe('the manifests of a release', () => {
  it('the manifests of this repository have no problems', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    assert.deepEqual(release.manifestProblems(publishedPackages(), manifest), []);
  });

  for (const [changes, problem] of [
    [{ name: '@kubewright/apis' }, "name is '@kubewright/apis'; set it to '@kubewright/api'"],
    [{ private: true }, 'the package is private; remove "private"'],
    [{ version: '1.2.4' }, "version is '1.2.4'; set it to '1.2.3', as in the package.json of the repository"],
    [
      { dependencies: { '@kubewright/api': '^1.2.3' } },
      "the version of dependency @kubewright/api is '^1.2.3'; set it to '1.2.3'",
    ],
    [
      { dependencies: { yaml: 'file:../yaml' } },
      "the version of dependency yaml is 'file:../yaml', which is not a version range",
    ],
    [{ dependencies: { yaml: '*' } }, "the version of dependency yaml is '*', which is not a version range"],
    [{ license: 'MIT' }, "license is 'MIT'; set it to 'Apache-2.0'"],
    [{ publishConfig: { provenance: true } }, 'publishConfig.access is not "public"'],
    [{ publishConfig: { access: 'public' } }, 'publishConfig.provenance is not true'],
    [
      { repository: { ...api.repository, url: 'git+https://example.com/b.git' } },
      'repository.type and repository.url differ from those of the repository',
    ],
    [
      { repository: { ...api.repository, directory: 'packages/cli' } },
      "repository.directory is 'packages/cli'; set it to 'packages/api'",
    ],
  ] as const) {
    it(`the release reports the problem of a manifest: ${problem}`, () => {
      assert.deepEqual(problemsOf(changes), [`packages/api/package.json: ${problem}`]);
    });
  }

  it('the release rejects a version of the repository that npm would not publish', () => {
    const found = release.manifestProblems([{ folder: 'packages/api', manifest: { ...api, version: 'next' } }], {
      ...repository,
      version: 'next',
    });
    assert.deepEqual(found, [
      "packages/api/package.json: the version of the repository is 'next'; use a version such as 1.2.3",
    ]);
  });
});

describe('the licenses of dependencies', () => {
  it('the licenses of all dependencies of this repository are allowed', async () => {
    assert.deepEqual(
      release.dependencyLicenseProblems(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))),
      [],
    );
  });

  it('the release rejects a dependency of users unless its license, or one alternative of its license, is allowed', () => {
    const packages = {
      '': { license: 'Apache-2.0' },
      'node_modules/a': { license: 'GPL-3.0' },
      'node_modules/b/node_modules/c': {},
      'node_modules/d': { license: '(GPL-3.0 OR MIT)' },
      'node_modules/e': { license: 'GPL-3.0', dev: true },
      'node_modules/f': { link: true },
    };
    assert.deepEqual(release.dependencyLicenseProblems({ packages }), [
      'a: the license is GPL-3.0',
      'c: the license is not declared',
    ]);
  });
});

describe('the machine that publishes', () => {
  const ready = {
    version: '1.2.3',
    changes: '1.2.3',
    tags: ['v1.2.3'],
    status: '',
    env: { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.com' },
  };

  it('the release publishes if the commit is tagged, the work tree is clean, the changelog has the version, and the job has an identity', () => {
    assert.deepEqual(release.publishRefusals(ready), []);
  });

  for (const [change, refusal] of [
    [{ changes: 'Unreleased' }, /^CHANGELOG\.md has no section for 1\.2\.3; rename "Unreleased"/],
    [{ status: ' M README.md\n' }, /^the work tree has uncommitted files/],
    [{ tags: ['v1.2.2'] }, /^the current commit has no tag v1\.2\.3; run git tag v1\.2\.3$/],
    [
      { env: { NODE_AUTH_TOKEN: 'x' } },
      /^npm cannot generate provenance: this is not a CI job with an OpenID Connect identity/,
    ],
    [{ env: { SIGSTORE_ID_TOKEN: 'x' } }, /^npm has no permission to publish; set NODE_AUTH_TOKEN/],
  ] as const) {
    it(`the release refuses to publish with a reason that matches ${refusal.source}`, () => {
      const refusals = release.publishRefusals({ ...ready, ...change });
      assert.equal(refusals.length, 1);
      assert.match(refusals[0] ?? '', refusal);
    });
  }

  it('the release publishes each package after its dependencies', () => {
    const packages = [
      { folder: 'c', manifest: { name: 'c', dependencies: { b: '1' } } },
      { folder: 'b', manifest: { name: 'b', dependencies: { a: '1', yaml: '2' } } },
      { folder: 'a', manifest: { name: 'a' } },
    ];
    assert.deepEqual(
      release.inDependencyOrder(packages).map(({ folder }) => folder),
      ['a', 'b', 'c'],
    );
    const circle = [...packages.slice(0, 2), { folder: 'a', manifest: { name: 'a', dependencies: { c: '1' } } }];
    assert.throws(() => release.inDependencyOrder(circle), /packages depend on each other: c → b → a/);
  });

  it('the release publishes a prerelease under the dist-tag of the prerelease, or under next', () => {
    assert.equal(release.distTag('1.2.3'), 'latest');
    assert.equal(release.distTag('1.2.3-beta.1'), 'beta');
    assert.equal(release.distTag('1.0.0-1'), 'next');
    assert.equal(release.distTag('1.0.0-0.rc'), 'next');
  });

  it('changelogSection returns the section of the version, the section Unreleased if it has entries, or undefined', () => {
    assert.equal(release.changelogSection('# C\n\n## Unreleased\n\n## 1.2.3 - 2026-01-01\n\n- a\n', '1.2.3'), '1.2.3');
    assert.equal(
      release.changelogSection('## Unreleased\n\n### Added\n\n- a\n\n## 1.2.2\n\n- b\n', '1.2.3'),
      'Unreleased',
    );
    assert.equal(release.changelogSection('## Unreleased\n\n## 1.2.2\n\n- b\n', '1.2.3'), undefined);
  });
});

describe('the contents of a tarball', () => {
  const files = {
    'package.json': JSON.stringify({
      name: 'x',
      exports: { '.': './dist/index.js', './*': { types: './dist/apis/*.d.ts' } },
      bin: { x: 'dist/bin.js' },
      dependencies: { yaml: '1' },
    }),
    'README.md': '',
    LICENSE: 'license',
    'dist/index.js': "import './bin.js';\nimport 'node:fs';\nimport 'yaml';\n",
    'dist/bin.js': "await import('x');\n",
    'dist/apis/v1.d.ts': "export * from '../index.js';\n",
    'dist/index.d.ts': '',
  };

  async function problemsWith(changes: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-contents-'));
    try {
      for (const [path, text] of Object.entries({ ...files, ...changes })) {
        if (text === undefined) continue;
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      return contentProblems(folder, { license: 'license' });
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it('the release accepts a complete tarball', async () => {
    assert.deepEqual(await problemsWith({}), []);
  });

  for (const [changes, problem] of [
    [{ LICENSE: undefined }, 'LICENSE is missing'],
    [{ 'README.md': undefined }, 'README.md is missing'],
    [{ LICENSE: 'other' }, 'LICENSE differs from the license of the repository'],
    [{ 'dist/a.test.js': '' }, 'dist/a.test.js is a development file; exclude it from the package'],
    [{ 'dist/index.js.map': '{}' }, 'dist/index.js.map is a development file; exclude it from the package'],
    [{ 'dist/test-support/a.js': '' }, 'dist/test-support/a.js is a development file; exclude it from the package'],
    [{ '.env': '' }, '.env is a development file; exclude it from the package'],
    [
      { 'dist/bin.js': '//# sourceMappingURL=bin.js.map\n' },
      'dist/bin.js refers to the source map bin.js.map, which is not in the package',
    ],
    [{ 'dist/apis/v1.d.ts': undefined }, 'package.json refers to ./dist/apis/*.d.ts, which is not in the package'],
    [{ 'dist/bin.js': "import './gone.js';\n" }, 'dist/bin.js imports ./gone.js, which is not in the package'],
    [
      { 'dist/bin.js': "import 'other/x';\n" },
      'dist/bin.js imports other/x, which is not a dependency in package.json',
    ],
  ] as const) {
    it(`the release reports the problem of a tarball: ${problem}`, async () => {
      assert.deepEqual(await problemsWith(changes), [problem]);
    });
  }

  it('the release rejects a tarball if a program is not packed', async () => {
    assert.ok(
      (await problemsWith({ 'dist/bin.js': undefined })).includes(
        'package.json refers to dist/bin.js, which is not in the package',
      ),
    );
  });
});
