import assert from 'node:assert/strict';
import { after } from 'node:test';
import { TestEnvironment, type TestEnvironmentOptions } from '@kubewright/testing';
import { Leftovers } from './leftovers.js';

const running = new Map<string, Promise<SharedEnvironment>>();

after(async () => {
  for (const environment of running.values()) await (await environment).stop();
});

/** A test environment that the suites of one process use one after the other. Each suite must delete the objects that it creates. */
export class SharedEnvironment {
  readonly environment: TestEnvironment;
  readonly #leftovers: Leftovers;

  private constructor(environment: TestEnvironment, leftovers: Leftovers) {
    this.environment = environment;
    this.#leftovers = leftovers;
  }

  /** Returns the environment with these options. The environment starts at the first call and ends after the last test. */
  static get(options: Pick<TestEnvironmentOptions, 'server' | 'workloads'>): Promise<SharedEnvironment> {
    const key = JSON.stringify(options);
    const shared = running.get(key) ?? SharedEnvironment.#start(options);
    running.set(key, shared);
    return shared;
  }

  static async #start(options: TestEnvironmentOptions): Promise<SharedEnvironment> {
    const environment = await TestEnvironment.start(options);
    try {
      return new SharedEnvironment(environment, await Leftovers.open(environment.connection));
    } catch (error) {
      await environment[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Rejects if a suite has left objects that could affect the next suite. Objects that `passes` accepts may stay. */
  async checkLeft(passes: (path: string) => boolean): Promise<void> {
    assert.deepEqual(await this.#leftovers.objects(passes), [], 'objects remain on the shared server');
  }

  async stop(): Promise<void> {
    await this.#leftovers[Symbol.asyncDispose]();
    await this.environment[Symbol.asyncDispose]();
  }
}
