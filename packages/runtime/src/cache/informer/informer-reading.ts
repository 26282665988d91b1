import type { KubeObject } from '@kubewright/api';
import type { InformerReading } from '../../metrics/informer-metrics.js';
import type { InformerHandle } from './informer-handle.js';

/** Returns the state of an informer for the metrics. */
export function informerReading(informer: InformerHandle<KubeObject>): InformerReading {
  const { apiVersion, kind, namespaces, labels, fields, metadataOnly, size, bytes, waiting, liveReads } = informer;
  const { state, synced, lists, watches } = informer.status;
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  // The selector distinguishes the informer of metadata from the informer of whole objects of the same kind.
  const selector = [labels, fields, metadataOnly ? 'metadata' : undefined]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const selected = { group, version, kind, namespaces, selector };
  return { ...selected, objects: size, bytes, state: state.name, synced, lists, watches, waiting, liveReads };
}
