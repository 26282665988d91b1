import { TestEnvironment, type TestEnvironmentOptions } from '@kubewright/testing';
import { startEnvironmentOnLoan } from '@kubewright/testing/internal';
import { type SelectedServer, selectedServer } from './selected-server.js';
import { leaseControlPlane } from './pool/pool-client.js';

/** The options of `startEnvironment`. */
export interface StartOptions extends Omit<TestEnvironmentOptions, 'version'> {
  /** @default the server for this test run */
  readonly server?: SelectedServer;
  /** Whether the environment gets its own control plane, for tests that restart or reconfigure the control plane. @default false */
  readonly ownControlPlane?: boolean;
}

/**
 * Starts a test environment on the server for this test run. If KUBEWRIGHT_CONTROL_PLANE_POOL contains the Unix socket of a pool of control
 * planes, the environment uses a control plane of the pool. The pool restores the control plane after the environment has ended.
 * `controlPlane` throws NOT_SUPPORTED for such an environment.
 */
export function startEnvironment({
  server = selectedServer(),
  ownControlPlane = false,
  ...options
}: StartOptions = {}): Promise<TestEnvironment> {
  const pool = process.env['KUBEWRIGHT_CONTROL_PLANE_POOL'];
  if (server !== 'control-plane' || !pool || ownControlPlane) return TestEnvironment.start({ ...options, server });
  const { workloads = false } = options;
  return startEnvironmentOnLoan(() => leaseControlPlane(pool, workloads === false ? 'api' : 'workloads'), options);
}
