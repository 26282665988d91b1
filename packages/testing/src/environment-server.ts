import type { KubeObject } from '@kubewright/api';
import { generateCrds } from '@kubewright/api/crd';
import { ConnectedServer } from './connected-server.js';
import { EmbeddedServer } from './embedded-server.js';
import { readDefinitions } from './installed-manifests.js';
import type { InstalledKinds, TestEnvironmentOptions } from './test-environment-options.js';
import type { TestServer } from './test-server.js';
import { Trace } from './trace/trace.js';

/** Returns the definitions of classes, with one definition for all versions of a kind, followed by the definitions of manifests. */
export async function definitionsOf({ kinds = [], crds = [] }: InstalledKinds): Promise<readonly KubeObject[]> {
  return [...generateCrds(kinds).definitions, ...(await readDefinitions(crds))];
}

/**
 * Returns the trace of an environment, and the options for its server. If the option `trace` is not set, the trace is undefined. Otherwise,
 * the options contain a fault plan that records the requests, except for an existing cluster.
 */
export function withTrace(options: TestEnvironmentOptions): {
  readonly trace: Trace | undefined;
  readonly traced: TestEnvironmentOptions;
} {
  if (options.trace !== true) return { trace: undefined, traced: options };
  const trace = new Trace(options);
  return { trace, traced: options.server === 'existing' ? options : { ...options, faults: trace } };
}

/** Starts the server of an environment, or connects to it. */
export function serverOf(options: TestEnvironmentOptions): Promise<TestServer> {
  switch (options.server) {
    case 'existing':
      return ConnectedServer.existing();
    case 'control-plane':
      return ConnectedServer.controlPlane(options);
    default:
      return EmbeddedServer.start(options);
  }
}
