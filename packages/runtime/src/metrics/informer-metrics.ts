import type { Families } from './families.js';

/** The current state of an informer, for metrics. */
export interface InformerReading {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The watched namespaces. Undefined for all namespaces. */
  readonly namespaces: readonly string[] | undefined;
  /** The label and field selectors as text. Empty if there are none. */
  readonly selector: string;
  readonly objects: number;
  /** The total size of the JSON of all objects, in bytes. */
  readonly bytes: number;
  readonly state: string;
  readonly synced: boolean;
  readonly lists: number;
  readonly watches: number;
  /** The number of changes that handlers have not received yet. */
  readonly waiting: number;
  /** The number of reads that were sent to the API server although the kind is cached. */
  readonly liveReads: number;
}

/** Sets the metrics to the current state of the informers. Removes the series of informers that were closed. */
export function measureInformers(families: Families, readings: Iterable<InformerReading>): void {
  const { informerObjects, informerBytes, informerState, informerSynced } = families;
  const { informerLists, informerWatches, informerWaiting, informerLiveReads } = families;
  const all = [informerObjects, informerBytes, informerState, informerSynced, informerLists, informerWatches];
  for (const family of [...all, informerWaiting, informerLiveReads]) family.clear();
  for (const reading of readings) {
    const { group, version, kind, namespaces, selector } = reading;
    const labels = [group, version, kind, namespaces?.join(',') ?? '', selector] as const;
    informerObjects.of(...labels).inc(reading.objects);
    informerBytes.of(...labels).inc(reading.bytes);
    informerState.of(...labels, reading.state).set(1);
    informerSynced.of(...labels).set(reading.synced ? 1 : 0);
    informerLists.of(...labels).inc(reading.lists);
    informerWatches.of(...labels).inc(reading.watches);
    informerWaiting.of(...labels).inc(reading.waiting);
    informerLiveReads.of(...labels).inc(reading.liveReads);
  }
}
