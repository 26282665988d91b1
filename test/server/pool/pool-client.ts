import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { ControlPlaneLoan } from '@kubewright/testing/internal';
import { type PoolAnswer, RETURNED } from './pool-server.js';
import type { ControlPlaneKind } from './pooled-control-plane.js';

/** Leases a control plane from the pool that listens on this Unix socket. Rejects if the pool has ended or cannot start a control plane. */
export async function leaseControlPlane(path: string, kind: ControlPlaneKind): Promise<ControlPlaneLoan> {
  const socket = connect(path);
  const failed = new Promise<never>((_, reject) => socket.once('error', reject));
  socket.write(`${kind}\n`);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const { done, value } = await Promise.race([lines.next(), failed]);
  if (done === true) throw new Error('cannot lease a control plane: the pool has ended');
  const answer = JSON.parse(value) as PoolAnswer;
  if ('problem' in answer) throw new Error(`cannot lease a control plane: ${answer.problem}`);
  socket.on('error', () => socket.destroy());
  // A process can end before it releases its control plane. The pool then discards the control plane.
  socket.unref();
  return {
    ...answer,
    release: () => new Promise((resolve) => socket.ref().end(`${RETURNED}\n`, resolve)),
  };
}
