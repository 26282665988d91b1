import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Deployment } from '@kubewright/api/apps/v1';
import { Service } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';

const helm = process.env['KUBEWRIGHT_HELM'];
const skip = helm === undefined ? 'Helm is not built; use npm run test:control-plane' : false;
const chart = fileURLToPath(new URL('../../control-plane/chart', import.meta.url));
const name = { namespace: 'default', name: 'web' };

test('Helm installs, tests, upgrades, rolls back and uninstalls a chart on the embedded API server', {
  skip,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-helm-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const homes = Object.fromEntries(
    ['HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME'].map((home) => [home, join(folder, home)]),
  );
  /** Runs Helm, and returns its exit code and its output. */
  const run = (...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, ...homes, KUBECONFIG: kubeconfig };
      const child = execFile(join(helm ?? '', 'helm'), args, { env }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` });
      });
    });
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { code, output } = await run(...args);
    assert.equal(code, 0, `helm ${args.join(' ')}: ${output}`);
    return output;
  };
  try {
    await using env = await TestEnvironment.start({ server: 'embedded', workloads: true });
    await env.writeKubeconfig(kubeconfig);
    const ready = async (): Promise<number | undefined> =>
      (await env.client.live.get(Deployment, name)).status?.readyReplicas;

    await ok('install', 'web', chart, '--wait');
    assert.equal(await ready(), 2);
    assert.match(await ok('test', 'web', '--logs'), /Phase: +Succeeded[^]*the service answers/);
    await ok('upgrade', 'web', chart, '--wait', '--set', 'replicas=3,testExitCode=1');
    assert.equal(await ready(), 3);
    const failed = await run('test', 'web');
    assert.equal(failed.code, 1);
    assert.match(failed.output, /pod web-test failed/);
    await ok('rollback', 'web', '1', '--wait');
    assert.equal(await ready(), 2);
    assert.match(await ok('history', 'web'), /3 .*deployed .*Rollback to 1/);
    await ok('uninstall', 'web', '--wait');
    assert.equal(await env.client.live.find(Service, name), undefined);
  } finally {
    await rm(folder, { recursive: true });
  }
});
