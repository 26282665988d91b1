import type { TestEnvironmentOptions } from '@kubewright/testing';

/** The server for the test suites, set by the environment variable KUBEWRIGHT_TEST_SERVER. @default 'embedded' */
export type SelectedServer = NonNullable<TestEnvironmentOptions['server']>;

const servers: readonly SelectedServer[] = ['embedded', 'control-plane', 'existing'];

/** Returns the server for this test run. Throws if the name is not valid. */
export function selectedServer(): SelectedServer {
  const given = process.env['KUBEWRIGHT_TEST_SERVER'] || 'embedded';
  const known = servers.find((name) => name === given);
  if (known === undefined)
    throw new RangeError(`KUBEWRIGHT_TEST_SERVER is '${given}'; use one of ${servers.join(', ')}`);
  return known;
}
