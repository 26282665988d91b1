import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ControlPlane } from './control-plane.js';

/** A clock on which a minute passes in 30 polls if the control plane is not ready. */
class HurriedClock extends SystemClock {
  #skippedMs = 0;
  isHurried = false;

  override monotonicMs(): number {
    if (this.isHurried) this.#skippedMs += 2000;
    return super.monotonicMs() + this.#skippedMs;
  }
}

const etcd = `
  const flag = process.argv.find((each) => each.startsWith('--data-dir='));
  require('node:fs').mkdirSync(flag.slice('--data-dir='.length), { recursive: true });
  setInterval(() => undefined, 1e9);`;
/** Answers every request with 200 while the file `ready` exists in the folder of the program, and with 500 otherwise. */
const apiServer = `
  const { existsSync, readFileSync } = require('node:fs');
  const flag = (name) => process.argv.find((each) => each.startsWith('--' + name + '=')).split('=')[1];
  const [cert, key] = [flag('tls-cert-file'), flag('tls-private-key-file')].map((file) => readFileSync(file));
  const isReady = () => existsSync(require('node:path').join(__dirname, 'ready'));
  require('node:https')
    .createServer({ cert, key }, (_, response) => response.writeHead(isReady() ? 200 : 500).end('ok'))
    .listen(Number(flag('secure-port')), '127.0.0.1');`;

let folder: string;
let previous: string | undefined;
const setReady = (isReady: boolean): void =>
  isReady ? writeFileSync(join(folder, 'ready'), '') : rmSync(join(folder, 'ready'), { force: true });

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubewright-programs-'));
  for (const [name, script] of Object.entries({ etcd, 'kube-apiserver': apiServer })) {
    writeFileSync(join(folder, name), `#!${process.execPath}\n${script}`);
    chmodSync(join(folder, name), 0o755);
  }
  previous = process.env['KUBEWRIGHT_CONTROL_PLANE'];
  process.env['KUBEWRIGHT_CONTROL_PLANE'] = folder;
});
after(() => {
  if (previous === undefined) delete process.env['KUBEWRIGHT_CONTROL_PLANE'];
  else process.env['KUBEWRIGHT_CONTROL_PLANE'] = previous;
  rmSync(folder, { recursive: true });
});

test('NOT_READY names the failed operation: a start, a restart, a backup or a restore', async () => {
  const clock = new HurriedClock();
  const rejects = async (attempt: string, operation: () => Promise<unknown>): Promise<void> => {
    setReady(false);
    clock.isHurried = true;
    const message = `cannot ${attempt}: kube-apiserver is not ready after 60 s`;
    await assert.rejects(operation, { code: 'NOT_READY', message });
    clock.isHurried = false;
    setReady(true);
  };
  await rejects('start a control plane', () => ControlPlane.start({}, clock));
  await using plane = await ControlPlane.start({}, clock);
  await rejects('restart kube-apiserver', () => plane.restartApiServer());
  await rejects('back up etcd', () => plane.backUp());
  assert.ok(existsSync(plane.files.path('etcd-backup')));
  await rejects('restore etcd', () => plane.restore());
  await plane.restartApiServer();
});
