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
  #problems: ReadonlyMap<string, unknown> = new Map();

  constructor(options: { readonly registries: readonly MetricsRegistry[]; readonly process: boolean }) {
    this.#given = options.registries;
    this.#withProcess = options.process;
  }

  /** What the last text left out, by name. */
  get problems(): ReadonlyMap<string, unknown> {
    return this.#problems;
  }

  /** Their metrics in the text format, without those of names that are taken. */
  async text(taken: ReadonlySet<string>): Promise<string> {
    this.#loaded ??= this.#load();
    const names = new Set(taken);
    const problems = new Map<string, unknown>();
    const texts: Promise<string>[] = [];
    for (const registry of await this.#loaded) {
      for (const { name } of registry.getMetricsAsArray()) {
        if (names.has(name)) problems.set(name, 'another metric has this name');
        else texts.push(textOf(registry, name, problems));
        names.add(name);
      }
    }
    this.#problems = problems;
    return (await Promise.all(texts)).join('');
  }

  async #load(): Promise<readonly MetricsRegistry[]> {
    const prometheus = await import('prom-client');
    const registries: MetricsRegistry[] = [...new Set([...this.#given, prometheus.register])];
    if (this.#withProcess && !hasProcessMetrics(registries)) {
      const own = new prometheus.Registry();
      prometheus.collectDefaultMetrics({ register: own });
      registries.push(own);
    }
    return registries;
  }
}

/** One metric; empty, and a problem, when it throws. */
async function textOf(registry: MetricsRegistry, name: string, problems: Map<string, unknown>): Promise<string> {
  try {
    return `${(await registry.getSingleMetricAsString(name)).trimEnd()}\n`;
  } catch (error) {
    problems.set(name, error);
    return '';
  }
}

/** Whether the author collects those of the process already. */
function hasProcessMetrics(registries: readonly MetricsRegistry[]): boolean {
  return registries.some((registry) =>
    registry.getMetricsAsArray().some(({ name }) => name === 'process_cpu_seconds_total'),
  );
}
