import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Pod } from '@kubewright/api/core/v1';
import { connect } from '@kubewright/runtime';
import { ControlPlane } from '@kubewright/testing';

const wait = { timeout: '60s' } as const;

test('the control plane restarts a killed kube-scheduler, which then schedules Pods', async () => {
  await using controlPlane = await ControlPlane.start({ workloads: true });
  await using cluster = await connect({ connection: controlPlane.connection });
  const runs = async (name: string): Promise<void> => {
    const spec = { containers: [{ name: 'main', image: 'example.com/main' }] };
    const pod = await cluster.client.create(new Pod({ metadata: { name, namespace: 'default' }, spec }));
    await cluster.cache.until(Pod, pod.metadata, ({ status }) => status?.phase === 'Running', wait);
  };
  await runs('before');
  const [first, ...more] = schedulersOf(controlPlane);
  assert.ok(first !== undefined && more.length === 0);
  process.kill(first, 'SIGKILL');
  await runs('after');
  assert.notEqual(schedulersOf(controlPlane)[0], first);
});

/** Returns the process ids of kube-scheduler processes that use the files of the control plane. */
function schedulersOf({ files }: ControlPlane): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [program = '', ...args] = commandLine(pid);
      return program.endsWith('kube-scheduler') && args.some((arg) => arg.includes(files.path('')));
    });
}

function commandLine(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch (error) {
    // The process has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return [];
    throw error;
  }
}
