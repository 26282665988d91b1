import type { TestEnvironmentOptions } from '@kubewright/testing';

/** The server that the suites are run against; the environment variable KUBEWRIGHT_TEST_SERVER says it. @default 'embedded' */
export type ChosenServer = NonNullable<TestEnvironmentOptions['server']>;

const servers: readonly ChosenServer[] = ['embedded', 'control-plane', 'existing'];

/** The server that this run is about. Throws for a name that is none. */
export function chosenServer(): ChosenServer {
  const given = process.env['KUBEWRIGHT_TEST_SERVER'] || 'embedded';
  const known = servers.find((name) => name === given);
  if (known === undefined)
    throw new RangeError(`KUBEWRIGHT_TEST_SERVER is '${given}', and not one of ${servers.join(', ')}`);
  return known;
}
