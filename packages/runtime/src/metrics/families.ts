import { METRICS, type MetricDefinition } from './definitions.js';
import { Family, type Series } from './family.js';
import { Counter, Gauge, Histogram } from './series.js';

type SeriesOf<T extends MetricDefinition['type']> = T extends 'counter'
  ? Counter
  : T extends 'gauge'
    ? Gauge
    : Histogram;

/** The metrics of the runtime, with the keys of `METRICS`. */
export type Families = {
  readonly [K in keyof typeof METRICS]: Family<SeriesOf<(typeof METRICS)[K]['type']>, (typeof METRICS)[K]['labels']>;
};

/** Creates the metrics of the runtime, without series. */
export function newFamilies(): Families {
  const families = Object.entries(METRICS).map(([key, definition]) => [key, familyOf(definition)]);
  return Object.fromEntries(families) as Families;
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
