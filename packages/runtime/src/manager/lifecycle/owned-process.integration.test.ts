import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';

const RUNTIME = new URL('../../index.js', import.meta.url).href;

interface Ended {
  readonly code: unknown;
  readonly reported: string;
}
/** Runs a program that can create a `Manager`. No cluster is available. */
function run(body: string, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = `import { Manager } from '${RUNTIME}';\n${body}`;
  const args = ['--input-type=module', '--eval', program];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', KUBECONFIG: '/nonexistent/config', ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, _stdout, reported) =>
      resolve({ code: error?.code ?? 0, reported }),
    );
  });
}
const MISSING = 'error: kubeconfig /nonexistent/config: the file does not exist\n';

test('prints an error of the configuration or the cluster in one line and exits with code 1', async () => {
  const [chosen, stopped, election, flag] = await Promise.all([
    run('process.exitCode = 3; setInterval(() => undefined, 1e6); await new Manager().start();'),
    run('const manager = new Manager(); manager.start().catch(() => undefined); await manager.stopped;'),
    run("await new Manager({ leaderElection: 'mine' }).start();"),
    run('await new Manager().start();', { KUBEWRIGHT_GRACE_PERIOD: 'soon' }),
  ]);
  assert.deepEqual(chosen, { code: 3, reported: MISSING }, 'even if something else keeps the process alive');
  assert.deepEqual(stopped, { code: 1, reported: MISSING });
  assert.match(election.reported, /^error: .+\n$/);
  assert.equal(flag.code, 1);
  assert.match(
    flag.reported,
    /^error: cannot apply the settings of the manager: KUBEWRIGHT_GRACE_PERIOD is 'soon'; use .+\n$/,
  );
});

test('prints an error of the program with its stack, and with signals: false also an error of the configuration', async () => {
  const [hook, option, own, other] = await Promise.all([
    run("await new Manager({ hooks: { beforeStart() { throw new Error('mine'); } } }).start();"),
    run('new Manager({ gracePeriod: {} });'),
    run('await new Manager({ signals: false }).start();'),
    run("new Manager().start().catch(() => undefined); setImmediate(() => { throw new Error('another'); });"),
  ]);
  assert.match(hook.reported, /HOOK_FAILED[^]*Error: mine\n +at /);
  assert.match(option.reported, /\n +at new Manager /);
  assert.match(own.reported, /KubewrightError: kubeconfig [^]*\n +at /);
  assert.match(other.reported, /Error: another\n +at /);
  assert.deepEqual([hook.code, option.code, own.code, other.code], [1, 1, 1, 1]);
});

test('does not end a program that handles the error', async () => {
  const [caught, listened] = await Promise.all([
    run("try { await new Manager().start(); } catch (error) { console.error('caught', error.code); }"),
    run(
      "process.on('uncaughtException', (error) => console.error('caught', error.code)); await new Manager().start();",
    ),
  ]);
  assert.deepEqual(caught, { code: 1, reported: 'caught INVALID_KUBECONFIG\n' });
  assert.deepEqual(listened, { code: 1, reported: 'caught INVALID_KUBECONFIG\n' });
});
