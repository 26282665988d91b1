import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import {
  isAlreadyExists,
  KubewrightError,
  type Cluster,
  type ClusterOptions,
  connect,
  Logger,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment, type StartOptions } from '../server/start-environment.js';

/** The namespaces of the test environments of these suites. */
const TEAMS = ['team-a', 'team-b', 'team-c'] as const;

/** A logger that keeps the messages of warnings. */
export class RecordingLogger extends Logger {
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

/** Starts a test environment with the namespaces `team-a`, `team-b`, and `team-c`. */
export async function startTeams(options: StartOptions = {}): Promise<TestEnvironment> {
  const env = await startEnvironment(options);
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

/** Connects to the server of the environment, with a separate cache. */
export function connectTo(env: TestEnvironment, options: ClusterOptions = {}): Promise<Cluster> {
  return connect({ connection: env.connection, logger: new RecordingLogger(), ...options });
}

/** Creates ConfigMaps with names and labels, for example from `{ 'team-a/one': { app: 'web' } }`. */
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

/** Returns the names of the objects in alphabetical order. */
export function namesOf(objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}

/** Returns a predicate for a KubewrightError with this code and a matching message. */
export function hasCode(code: string, message = /./): (error: unknown) => boolean {
  return (error) => error instanceof KubewrightError && error.code === code && message.test(error.message);
}
