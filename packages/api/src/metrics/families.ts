import { Family, type FamilyDescription, type Series } from './family.js';
import { Counter, Gauge, Histogram } from './series.js';

/** The definition of a metric. */
export interface MetricDefinition extends FamilyDescription {
  /** The upper bounds of the buckets, in increasing order. Only for a histogram. */
  readonly buckets?: readonly number[];
}

type SeriesOf<T extends MetricDefinition['type']> = T extends 'counter'
  ? Counter
  : T extends 'gauge'
    ? Gauge
    : Histogram;

/** Metrics with the keys of their definitions. */
export type FamiliesOf<D extends Readonly<Record<string, MetricDefinition>>> = {
  readonly [K in keyof D]: Family<SeriesOf<D[K]['type']>, D[K]['labels']>;
};

/** Creates metrics without series. */
export function familiesOf<D extends Readonly<Record<string, MetricDefinition>>>(definitions: D): FamiliesOf<D> {
  const families = Object.entries(definitions).map(([key, definition]) => [key, familyOf(definition)]);
  return Object.fromEntries(families) as FamiliesOf<D>;
}

function familyOf(definition: MetricDefinition): Family {
  const { buckets = [] } = definition;
  const make: Record<MetricDefinition['type'], () => Series> = {
    counter: () => new Counter(),
    gauge: () => new Gauge(),
    histogram: () => new Histogram(buckets),
  };
  return new Family(definition, make[definition.type]);
}
