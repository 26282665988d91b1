export { expositionOf, formatNumber, TEXT_FORMAT } from './metrics/exposition.js';
export { type FamiliesOf, familiesOf, type MetricDefinition } from './metrics/families.js';
export { Family, type FamilyDescription, type Series } from './metrics/family.js';
export { Counter, Gauge, Histogram } from './metrics/series.js';
