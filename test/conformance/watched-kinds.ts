import assert from 'node:assert/strict';
import { CustomResource, Field, Kind } from '@kubewright/api';
import type { Manager } from '@kubewright/runtime';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

class RackSpec {
  @Field.string({ optional: true }) settings?: string;
}
/** A namespaced kind. */
@Kind({ group: 'watch.example.com', version: 'v1' })
export class Rack extends CustomResource(RackSpec) {}

class HallSpec {
  @Field.string({ optional: true }) city?: string;
}
/** A cluster-scoped kind. */
@Kind({ group: 'watch.example.com', version: 'v1', scope: 'Cluster' })
export class Hall extends CustomResource(HallSpec) {}

export const kinds = [Rack, Hall];
export const namespace = 'default';

export function rack(name: string, settings?: string): Rack {
  return new Rack({ metadata: { name, namespace }, spec: settings === undefined ? {} : { settings } });
}

/** An ordered record of texts that tests can wait for. */
export class Reported {
  readonly all: string[] = [];
  #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];

  add(text: string): void {
    this.all.push(text);
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
  /** Resolves when all of the texts have been added. */
  async until(...texts: readonly string[]): Promise<void> {
    const isMet = (): boolean => texts.every((text) => this.all.includes(text));
    if (!isMet()) await new Promise<void>((resolve) => this.#waiting.push({ isMet, resolve }));
  }
  /** Removes all texts. */
  clear(): void {
    this.all.length = 0;
  }
}

/** Resolves when a starting controller waits only for `missing`. From then on, a test may advance its clock. */
export async function lacksOnly(manager: Manager, name: string, missing: RegExp): Promise<void> {
  const limit = AbortSignal.timeout(HANG_LIMIT_MS);
  const problems = (): readonly string[] => manager.controller(name).problems;
  while (!(problems().length === 1 && missing.test(problems()[0] ?? ''))) {
    assert.ok(
      !limit.aborted,
      `controller '${name}' does not wait only for ${missing}; its problems: ${problems().join('; ')}`,
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
}
