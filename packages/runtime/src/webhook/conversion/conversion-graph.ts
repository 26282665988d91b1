import type { Converter, KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { type ConverterRecord, kindOf } from '@kubewright/api/metadata';
import type { DescribedConversion } from '../../rbac/described-webhooks.js';

/** A converter between two versions, with its options. */
export interface ServedConverter {
  /** The name of the converter in messages, which is the name of its class. */
  readonly name: string;
  readonly options: ConverterRecord['options'];
  readonly converter: Converter<KubeObject, KubeObject>;
}
/** A converter that is declared. Its methods are not needed to determine the versions. */
export type DeclaredConverter = Omit<ServedConverter, 'converter'>;
/** One step of a conversion: `up` to the hub of a converter, or `down` from the hub. */
export interface ConversionStep<C extends DeclaredConverter = ServedConverter> {
  readonly by: C;
  readonly direction: 'up' | 'down';
}

/** The HTTP path of all conversions, as in controller-runtime. */
export const CONVERSION_PATH = '/convert';

/**
 * The converters between the versions of one kind. Each version has at most one converter to its hub. All chains of converters end at the
 * same hub.
 */
export class ConversionGraph<C extends DeclaredConverter = ServedConverter> {
  readonly #kind: string;
  /** The converter of each version to its hub. */
  readonly #up = new Map<string, C>();
  readonly #refs = new Map<string, KindRef>();
  /** The results of `way`. */
  readonly #ways = new Map<string, readonly ConversionStep<C>[]>();

  private constructor(kind: string) {
    this.#kind = kind;
  }

  /**
   * Returns the graph of each kind, by the key of `kindKey`. Throws INVALID_CONVERSION if a version has two converters, if converters form
   * a cycle, or if a converter between two hubs is missing.
   */
  static of<C extends DeclaredConverter>(converters: readonly C[]): ReadonlyMap<string, ConversionGraph<C>> {
    const graphs = new Map<string, ConversionGraph<C>>();
    for (const converter of converters) {
      const key = kindKey(converter.options.hub);
      const graph = graphs.get(key) ?? new ConversionGraph<C>(key);
      graphs.set(key, graph);
      graph.#add(converter);
    }
    for (const graph of graphs.values()) graph.#check();
    return graphs;
  }

  /** The version to which all other versions are converted. */
  get hub(): string {
    const [hub = ''] = this.#hubs;
    return hub;
  }
  /** All versions, in the order of their converters. */
  get versions(): readonly string[] {
    return [...this.#refs.keys()];
  }
  /** The kind of a version. */
  kindOf(version: string): KindRef | undefined {
    return this.#refs.get(version);
  }
  /** The description of the graph, for manifests. */
  get description(): DescribedConversion {
    const spokes = [...this.#refs].filter(([version]) => version !== this.hub).map(([, ref]) => ref);
    return { hub: this.#refs.get(this.hub) as KindRef, spokes, path: CONVERSION_PATH };
  }

  /** Returns the shortest sequence of steps between two versions. Returns undefined if no converter supports one of the versions. */
  way(from: string, to: string): readonly ConversionStep<C>[] | undefined {
    if (!this.#refs.has(from) || !this.#refs.has(to)) return undefined;
    const key = `${from} ${to}`;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    const way = this.#shortestWay(from, to);
    this.#ways.set(key, way);
    return way;
  }
  #shortestWay(from: string, to: string): readonly ConversionStep<C>[] {
    const [up, down] = [this.#chain(from), this.#chain(to)];
    const reached = new Set([from, ...up.map(({ options }) => kindOf(options.hub).version)]);
    const meeting = [to, ...down.map(({ options }) => kindOf(options.hub).version)].find((each) => reached.has(each));
    const until = (chain: readonly C[]): readonly C[] => {
      const end = chain.findIndex(({ options }) => kindOf(options.from).version === meeting);
      return end < 0 ? chain : chain.slice(0, end);
    };
    return [
      ...until(up).map((by) => ({ by, direction: 'up' as const })),
      ...until(down)
        .toReversed()
        .map((by) => ({ by, direction: 'down' as const })),
    ];
  }

  get #hubs(): readonly string[] {
    return [...this.#refs.keys()].filter((version) => !this.#up.has(version));
  }
  /** Returns the converters from a version to the hub. */
  #chain(version: string): readonly C[] {
    const chain: C[] = [];
    let next = this.#up.get(version);
    while (next !== undefined && !chain.includes(next)) {
      chain.push(next);
      next = this.#up.get(kindOf(next.options.hub).version);
    }
    return chain;
  }
  #add(converter: C): void {
    const { from, hub } = converter.options;
    const { version } = kindOf(from);
    const other = this.#up.get(version);
    if (other !== undefined) {
      throw this.#invalid(`${other.name} and ${converter.name} both convert ${version}; remove one of them`);
    }
    this.#up.set(version, converter);
    this.#refs.set(version, from);
    const { version: hubVersion } = kindOf(hub);
    if (!this.#refs.has(hubVersion)) this.#refs.set(hubVersion, hub);
  }
  #check(): void {
    for (const version of this.#refs.keys()) {
      const last = this.#chain(version).at(-1);
      const end = last === undefined ? version : kindOf(last.options.hub).version;
      if (!this.#up.has(end)) continue;
      const names = this.#chain(version).map(({ name }) => name);
      throw this.#invalid(
        `the converters ${names.join(', ')} form a cycle; choose one version as the hub, and remove its converter`,
      );
    }
    const hubs = this.#hubs;
    if (hubs.length <= 1) return;
    throw this.#invalid(
      `${hubs.join(' and ')} are both hubs; add a converter between them, or use the same hub in all converters`,
    );
  }
  #invalid(problem: string): KubewrightError {
    return new KubewrightError('INVALID_CONVERSION', `cannot convert ${this.#kind}: ${problem}`);
  }
}

/** Returns the name of a kind without its version, such as 'CronJob.batch.example.com'. */
export function kindKey(ref: KindRef): string {
  const { group, kind } = kindOf(ref);
  return group === '' ? kind : `${kind}.${group}`;
}
