import { type FamiliesOf, familiesOf } from '@kubewright/api/metrics';
import { METRICS } from './definitions.js';

/** The metrics of the runtime, with the keys of `METRICS`. */
export type Families = FamiliesOf<typeof METRICS>;

/** Creates the metrics of the runtime, without series. */
export function newFamilies(): Families {
  return familiesOf(METRICS);
}
