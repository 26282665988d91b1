import assert from 'node:assert/strict';
import { chmod, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { Lease } from '@kubewright/api/coordination/v1';
import { ClusterProject } from './cluster-projects.js';
import { FixtureProject } from './fixture-project.js';
import { ImageFolder } from './image-run.js';
import type { RunningCommand } from './running-command.js';

interface Foo extends KubeObject {
  readonly spec: { readonly count: number };
  readonly status?: { readonly counted?: number };
}
const Foo = dynamicKind('example.com/v1', 'Foo') as unknown as new (init: object) => Foo;
const foo = new Foo({ metadata: { name: 'one', namespace: 'default' }, spec: { count: 3 } });
const MAIN = 'src/main.ts';
const lease = { namespace: 'default', name: 'foo-operator' };

/** Waits until the controller has written the status of the object. Rejects with the operator's output if the operator ends before that. */
async function counted({ env }: ClusterProject, operator: RunningCommand): Promise<void> {
  const waiting = new AbortController();
  const ended = operator.closed.then((code) => {
    assert.fail(`the operator ended with ${code}:\n${operator.lines.join('\n')}`);
  });
  const { signal } = waiting;
  try {
    const isCounted = ({ status }: Foo): boolean => status?.counted === 3;
    await Promise.race([ended, env.cluster.cache.until(Foo, foo.metadata, isCounted, { signal })]);
  } finally {
    waiting.abort();
  }
}

/** Returns the texts of the files of a bundle, by name. */
async function bundleOf(project: FixtureProject): Promise<Record<string, string>> {
  const chunks = await project.files('dist/operator-chunks');
  const names = ['operator.mjs', ...chunks.map((name) => `operator-chunks/${basename(name)}`)];
  const texts = await Promise.all(names.map((name) => project.read(`dist/${name}`)));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

describe('the bundle of an operator, run as in its image', () => {
  it('the bundle runs in a folder that contains only the bundle and a kubeconfig, writes no files, and exits with 0 on SIGTERM', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.done(['install']);
    await cluster.done(['build']);
    await cluster.env.client.create(foo);
    await using image = await ImageFolder.of(cluster);
    await using operator = image.start();
    await counted(cluster, operator);
    assert.deepEqual(await image.files(), ['kubeconfig', 'operator-chunks', 'operator.mjs']);
    operator.child.kill('SIGTERM');
    assert.equal(await operator.closed, 0, operator.lines.join('\n'));
  });

  it('the bundle exits with 75 when another replica has acquired the Lease', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.done(['install']);
    await cluster.done(['build']);
    await cluster.env.client.create(foo);
    await using image = await ImageFolder.of(cluster);
    await using operator = image.start();
    await counted(cluster, operator);
    const now = new Date().toISOString().replace('Z', '000Z');
    const taken = { holderIdentity: 'another', acquireTime: now, renewTime: now, leaseTransitions: 1 };
    await cluster.env.client.patch(await cluster.env.client.live.get(Lease, lease), { merge: { spec: taken } });
    assert.equal(await operator.closed, 75, operator.lines.join('\n'));
  });
});

describe('kubewright compile', () => {
  it('kubewright compile removes the output of deleted tests; for a compile error, it exits with 3 and reports the position', async () => {
    const test = 'src/controllers/foo.test.ts';
    await using project = await FixtureProject.create({ [test]: 'export {};\n' });
    const compiled = 'dist/controllers/foo.test.js';
    assert.deepEqual(await project.runWithoutReuse(['compile']), { exitCode: 0, stdout: '', stderr: '' });
    assert.ok((await project.files('dist')).includes(compiled));
    await rm(join(project.root, test));
    assert.equal((await project.runWithoutReuse(['compile'])).exitCode, 0);
    assert.ok(!(await project.files('dist')).includes(compiled));
    await project.edit(MAIN, 'await manager', 'const text: string = 7;\nawait manager');
    const wrong = await project.runWithoutReuse(['compile']);
    assert.deepEqual([wrong.exitCode, wrong.stdout], [3, '']);
    assert.match(wrong.stderr, /^error: cannot compile the project:\nsrc\/main\.ts:6:7: /);
  });
});

describe('kubewright build', () => {
  it('kubewright build generates the same files from the same sources, and reports the contents of the files', async () => {
    await using project = await FixtureProject.create();
    const reported = await project.runWithoutReuse(['build']);
    assert.equal(reported.exitCode, 0, reported.stderr);
    assert.match(reported.stdout, /^bundle dist\/operator\.mjs \d\.\d\d MB \((\S+ \d+(\.\d+)? [kM]B, ){4}…\)$/m);
    assert.match(
      reported.stdout,
      /^to run the bundle as the image does: NODE_ENV=production node \S+ dist\/operator\.mjs$/m,
    );
    const built = await bundleOf(project);
    const { stdout } = await project.runWithoutReuse(['build', '--json']);
    const document = JSON.parse(stdout) as { readonly bundle: string; readonly bytes: number; readonly image: unknown };
    assert.deepEqual([document.bundle, document.image], ['dist/operator.mjs', null]);
    assert.deepEqual(await bundleOf(project), built);
    const code = Object.entries(built).filter(([name]) => name.endsWith('.mjs'));
    const sizes = code.map(([, text]) => Buffer.byteLength(text));
    assert.equal(
      document.bytes,
      sizes.reduce((sum, size) => sum + size),
    );
    for (const [name, text] of code) {
      assert.doesNotMatch(text, new RegExp(project.root));
      assert.ok(text.endsWith(`\n//# sourceMappingURL=${basename(name)}.map\n`), name);
    }
  });

  it('kubewright build exits with 2 for invalid arguments before it writes anything', async () => {
    await using project = await FixtureProject.create();
    for (const [args, message] of [
      [['--push'], /^error: --push requires --image: add --image, or remove --push\n$/],
      [['--platform', 'linux/arm64'], /^error: --platform requires --image: add --image, or remove --platform\n$/],
      [['--imagee'], /^error: unknown option '--imagee'/],
    ] as const) {
      const { exitCode, stderr } = await project.run(['build', ...args]);
      assert.equal(exitCode, 2);
      assert.match(stderr, message);
    }
    await assert.rejects(project.files('dist'), { code: 'ENOENT' });
  });

  it('kubewright build exits with 3 and reports the position of a compile error or of an import that cannot be resolved', async () => {
    await using project = await FixtureProject.create();
    await project.edit(
      MAIN,
      'await manager',
      "const text: string = 7;\nawait import('nowhere' as string);\nawait manager",
    );
    const wrong = await project.run(['build']);
    assert.deepEqual([wrong.exitCode, wrong.stdout], [3, '']);
    assert.match(
      wrong.stderr,
      /^error: cannot compile the project:\nsrc\/main\.ts:6:7: Type 'number' .* \(TS2322\)\n$/,
    );
    await project.edit(MAIN, 'const text: string = 7;\n', '');
    const missing = await project.run(['build']);
    assert.deepEqual([missing.exitCode, missing.stdout], [3, '']);
    assert.match(
      missing.stderr,
      /^error: cannot bundle the project:\ndist\/main\.js:\d+:\d+: Could not resolve "nowhere"\n$/,
    );
  });

  it('kubewright build builds and pushes the image with a container engine that responds, and reports errors of the engine', async () => {
    await using project = await FixtureProject.create({ Dockerfile: 'FROM scratch\n' });
    const PATH = join(project.root, 'bin');
    const engine = async (name: string, script: string): Promise<void> => {
      await project.write(join('bin', name), `#!/bin/sh\n${script}\n`);
      await chmod(join(PATH, name), 0o755);
    };
    await engine('docker', 'echo "Cannot connect to the daemon. Is it running?" >&2; exit 1');
    const image = 'registry.example.com/foo:v1';
    const silent = await project.run(['build', '--image', image], { PATH });
    assert.equal(silent.exitCode, 4);
    assert.match(
      silent.stderr,
      /^error: cannot build the image registry\.example\.com\/foo:v1: docker does not answer: Cannot connect .*; start or install an engine, or run the bundle as the image does: NODE_ENV=/m,
    );
    // The service of this engine stops while the image is built.
    await engine(
      'podman',
      'test "$1" = info && test ! -e stopped && exit; : > stopped; echo "no connection." >&2; exit 125',
    );
    const stopped = await project.run(['build', '--image', image], { PATH, KUBEWRIGHT_CONTAINER_ENGINE: 'podman' });
    assert.equal(stopped.exitCode, 4, stopped.stderr);
    assert.match(stopped.stderr, /^error: cannot build the image \S+: podman does not answer: no connection; start/m);
    await engine('podman', 'test "$1" = info && exit; echo "no such stage" >&2; exit 1');
    const refused = await project.run(['build', '--image', image], { PATH, KUBEWRIGHT_CONTAINER_ENGINE: 'podman' });
    assert.equal(refused.exitCode, 3, refused.stderr);
    assert.match(
      refused.stderr,
      /^no such stage\nerror: cannot build the image \S+: 'podman build .*' exited with code 1; see its output above$/m,
    );
    const records = 'for each in "$@"; do printf "%s " "$each"; done >> calls; echo >> calls; test "$1" != push';
    await engine('podman', records);
    await engine('nerdctl', records);
    const built = await project.run(['build', '--image'], { PATH });
    assert.equal(built.exitCode, 0, built.stderr);
    assert.match(built.stdout, /^image foo-operator:latest$/m);
    assert.equal(await project.read('calls'), 'info \nbuild -t foo-operator:latest . \n');
    const pushed = await project.run(['build', '--image', image, '--push'], {
      PATH,
      KUBEWRIGHT_CONTAINER_ENGINE: 'nerdctl',
    });
    assert.equal(pushed.exitCode, 4);
    assert.match(
      pushed.stderr,
      /^error: cannot push the image \S+: 'nerdctl push \S+' exited with code 1; see its output above; if the registry denied access, log in to/m,
    );
    // Docker builds and pushes an image for several platforms in one call.
    await engine('docker', 'test "$1" = info');
    const both = ['build', '--image', image, '--push', '--platform', 'linux/amd64,linux/arm64'];
    const failed = await project.run(both, { PATH, KUBEWRIGHT_CONTAINER_ENGINE: 'docker' });
    assert.equal(failed.exitCode, 3, failed.stderr);
    assert.match(
      failed.stderr,
      /^error: cannot build and push the image \S+: 'docker buildx build .*' exited with code 1; see its output above; correct the build, or log in to the registry if the push failed$/m,
    );
    // The name of the image does not influence the error.
    const named = await project.run(['build', '--image', 'push'], { PATH, KUBEWRIGHT_CONTAINER_ENGINE: 'docker' });
    assert.equal(named.exitCode, 3, named.stderr);
    assert.match(
      named.stderr,
      /^error: cannot build the image push: 'docker build -t push \.' exited with code 1; see/m,
    );
  });
});
