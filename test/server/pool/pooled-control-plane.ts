import { ControlPlane } from '@kubewright/testing';
import type { ControlPlaneLoan } from '@kubewright/testing/internal';
import type { PooledServer } from './control-plane-pool.js';
import { InitialState } from './initial-state.js';

/** A control plane with or without workloads. */
export type ControlPlaneKind = 'workloads' | 'api';

/** Time limit of a restore. After the limit, the pool discards the control plane. A low limit costs time but does not affect the tests. */
const RESTORE_LIMIT_MS = 30_000;

/** A running control plane that a pool can restore to the state after the start. */
export class PooledControlPlane implements PooledServer {
  /** The connection and the serving certificate for its users. */
  readonly loan: Omit<ControlPlaneLoan, 'release'>;
  readonly #plane: ControlPlane;
  readonly #state: InitialState;

  private constructor(plane: ControlPlane, state: InitialState, loan: Omit<ControlPlaneLoan, 'release'>) {
    this.#plane = plane;
    this.#state = state;
    this.loan = loan;
  }

  static async start(kind: ControlPlaneKind): Promise<PooledControlPlane> {
    const plane = await ControlPlane.start({ workloads: kind === 'workloads' });
    try {
      const state = await InitialState.open(plane.connection);
      const certificate = await plane.files.servingCertificate();
      return new PooledControlPlane(plane, state, { connection: plane.connection, certificate });
    } catch (error) {
      await plane.stop();
      throw error;
    }
  }

  restore(): Promise<void> {
    return this.#state.restore({ timeLimitMs: RESTORE_LIMIT_MS });
  }
  async stop(): Promise<void> {
    await this.#state[Symbol.asyncDispose]();
    await this.#plane.stop();
  }
}
