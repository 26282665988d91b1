import assert from 'node:assert/strict';
import { CustomResource, Field, Kind } from '@kubewright/api';
import type { Manager } from '@kubewright/runtime';

class RackSpec {
  @Field.string({ optional: true }) settings?: string;
}
/** A kind in namespaces. */
@Kind({ group: 'watch.example.com', version: 'v1' })
export class Rack extends CustomResource(RackSpec) {}

class HallSpec {
  @Field.string({ optional: true }) city?: string;
}
/** A kind without. */
@Kind({ group: 'watch.example.com', version: 'v1', scope: 'Cluster' })
export class Hall extends CustomResource(HallSpec) {}

export const kinds = [Rack, Hall];
export const namespace = 'default';

export function rack(name: string, settings?: string): Rack {
  return new Rack({ metadata: { name, namespace }, spec: settings === undefined ? {} : { settings } });
}

/** What was told, in order, and promises of it. */
export class Told {
  readonly all: string[] = [];
  #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];

  add(text: string): void {
    this.all.push(text);
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
  /** Resolves when all of these were told. */
  async until(...texts: readonly string[]): Promise<void> {
    const isMet = (): boolean => texts.every((text) => this.all.includes(text));
    if (!isMet()) await new Promise<void>((resolve) => this.#waiting.push({ isMet, resolve }));
  }
  /** Forgets what was told. */
  clear(): void {
    this.all.length = 0;
  }
}

/** Resolves when a controller whose start is under way lacks nothing but this, after a minute at most: from then on a clock may be moved. */
export async function lacksOnly(manager: Manager, name: string, missing: RegExp): Promise<void> {
  const limit = AbortSignal.timeout(60_000);
  const problems = (): readonly string[] => manager.controller(name).problems;
  while (!(problems().length === 1 && missing.test(problems()[0] ?? ''))) {
    assert.ok(!limit.aborted, `'${name}' does not lack ${missing}, but: ${problems().join('; ')}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
