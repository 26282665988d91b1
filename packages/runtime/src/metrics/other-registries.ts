import type { Registry } from 'prom-client';

/** A registry of prom-client, as far as it is needed. */
export interface MetricsRegistry {
  getMetricsAsArray(): readonly { readonly name: string }[];
  getSingleMetricAsString(name: string): Promise<string>;
}

/**
 * Metrics that were made with prom-client: those of registries that were given, of its global registry, and its own of the process.
 * prom-client is loaded with the first text, so that it costs nothing where nobody asks.
 */
export class OtherRegistries {
  readonly #given: readonly MetricsRegistry[];
  readonly #withProcess: boolean;
  #loaded: Promise<readonly MetricsRegistry[]> | undefined;
  readonly #hidden = new Set<string>();

  constructor(options: { readonly registries: readonly MetricsRegistry[]; readonly process: boolean }) {
    this.#given = options.registries;
    this.#withProcess = options.process;
  }

  /** Names that stand in more than one registry; only the first of each is served. */
  get hidden(): readonly string[] {
    return [...this.#hidden];
  }

  /** Their metrics in the text format, without those of names that are taken. */
  async text(taken: ReadonlySet<string>): Promise<string> {
    this.#loaded ??= this.#load();
    const names = new Set(taken);
    const texts: Promise<string>[] = [];
    for (const registry of await this.#loaded) {
      for (const { name } of registry.getMetricsAsArray()) {
        if (names.has(name)) {
          this.#hidden.add(name);
          continue;
        }
        names.add(name);
        texts.push(registry.getSingleMetricAsString(name));
      }
    }
    return (await Promise.all(texts)).map((text) => `${text.trimEnd()}\n`).join('');
  }

  async #load(): Promise<readonly MetricsRegistry[]> {
    const prometheus = await import('prom-client');
    const registries: MetricsRegistry[] = [...new Set([...this.#given, prometheus.register])];
    if (this.#withProcess && !hasProcessMetrics(registries)) {
      const own: Registry = new prometheus.Registry();
      prometheus.collectDefaultMetrics({ register: own });
      registries.push(own);
    }
    return registries;
  }
}

/** Whether the author collects those of the process already. */
function hasProcessMetrics(registries: readonly MetricsRegistry[]): boolean {
  return registries.some((registry) =>
    registry.getMetricsAsArray().some(({ name }) => name === 'process_cpu_seconds_total'),
  );
}
