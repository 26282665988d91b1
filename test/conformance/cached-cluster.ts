import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import {
  isAlreadyExists,
  KubewrightError,
  type Cluster,
  type ClusterOptions,
  connect,
  Logger,
} from '@kubewright/runtime';
import { TestEnvironment, type TestEnvironmentOptions } from '@kubewright/testing';
import { chosenServer } from '../server/chosen-server.js';

/** The namespaces that the environments of these suites have. */
const TEAMS = ['team-a', 'team-b', 'team-c'] as const;

/** Keeps what is logged at each level, by message. */
export class KeptLog extends Logger {
  readonly warnings: string[] = [];
  override debug(): void {}
  override info(): void {}
  override warn(message: string): void {
    this.warnings.push(message);
  }
  override error(): void {}
  override with(): Logger {
    return this;
  }
}

/** A server with the namespaces of the teams. */
export async function startTeams(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const env = await TestEnvironment.start({ server: chosenServer(), ...options });
  await Promise.all(TEAMS.map((name) => ensure(env, new Namespace({ metadata: { name } }))));
  return env;
}

async function ensure(env: TestEnvironment, namespace: Namespace): Promise<void> {
  try {
    await env.client.create(namespace);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** A connection to the server of the environment, with a cache of its own. */
export function connectTo(env: TestEnvironment, options: ClusterOptions = {}): Promise<Cluster> {
  return connect({ connection: env.connection, logger: new KeptLog(), ...options });
}

/** Creates config maps: `{ 'team-a/one': { app: 'web' } }` gives names and labels. */
export async function createConfigMaps(
  env: TestEnvironment,
  of: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<readonly ConfigMap[]> {
  const made = Object.entries(of).map(([key, labels]) => {
    const [namespace = '', name = ''] = key.split('/');
    return env.client.create(new ConfigMap({ metadata: { namespace, name, labels }, data: { of: name } }));
  });
  return Promise.all(made);
}

/** The names of objects, in order. */
export function namesOf(objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}

/** Whether an error is ours, with this code. */
export function hasCode(code: string, message = /./): (error: unknown) => boolean {
  return (error) => error instanceof KubewrightError && error.code === code && message.test(error.message);
}
