/** The methods of a prom-client registry that Kubewright uses. */
export interface MetricsRegistry {
  getMetricsAsArray(): readonly { readonly name: string }[];
  getSingleMetricAsString(name: string): Promise<string>;
}

/**
 * The metrics of prom-client: of given registries, of the global registry and of the process. prom-client is loaded at the first
 * collection.
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

  /** The metrics that were omitted at the last collection, by name, with the reason. */
  get problems(): ReadonlyMap<string, unknown> {
    return this.#problems;
  }

  /** Returns the metrics in the Prometheus text format. Omits metrics whose names are in `taken`. */
  async text(taken: ReadonlySet<string>): Promise<string> {
    this.#loaded ??= this.#load();
    const names = new Set(taken);
    const problems = new Map<string, unknown>();
    const texts: Promise<string>[] = [];
    for (const registry of await this.#loaded) {
      for (const { name } of registry.getMetricsAsArray()) {
        if (names.has(name)) problems.set(name, 'another metric has the same name');
        else texts.push(textOf(registry, name, problems));
        names.add(name);
      }
    }
    this.#problems = problems;
    return (await Promise.all(texts)).join('');
  }

  async #load(): Promise<readonly MetricsRegistry[]> {
    const { default: prometheus } = await import('prom-client');
    const registries: MetricsRegistry[] = [...new Set([...this.#given, prometheus.register])];
    if (this.#withProcess && !hasProcessMetrics(registries)) {
      const own = new prometheus.Registry();
      prometheus.collectDefaultMetrics({ register: own });
      registries.push(own);
    }
    return registries;
  }
}

/** Returns the text of one metric. If the metric throws, adds the error to `problems` and returns ''. */
async function textOf(registry: MetricsRegistry, name: string, problems: Map<string, unknown>): Promise<string> {
  try {
    return `${(await registry.getSingleMetricAsString(name)).trimEnd()}\n`;
  } catch (error) {
    problems.set(name, error);
    return '';
  }
}

/** Whether the registries already contain metrics of the process. */
function hasProcessMetrics(registries: readonly MetricsRegistry[]): boolean {
  return registries.some((registry) =>
    registry.getMetricsAsArray().some(({ name }) => name === 'process_cpu_seconds_total'),
  );
}
