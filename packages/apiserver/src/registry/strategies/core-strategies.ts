import type { Store } from '../../storage/store.js';
import type { Strategy } from '../strategy.js';
import { configMapStrategy } from './config-map.js';
import { endpointsStrategy } from './endpoints.js';
import { coreEventStrategy } from './event.js';
import { limitRangeStrategy } from './limit-range.js';
import { namespaceStrategy } from './namespace.js';
import { nodeStrategy } from './node.js';
import { persistentVolumeStrategy } from './persistent-volume.js';
import { persistentVolumeClaimStrategy } from './persistent-volume-claim.js';
import { podStrategy } from './pod.js';
import { podTemplateStrategy, replicationControllerStrategy } from './replication-controller.js';
import { resourceQuotaStrategy } from './resource-quota.js';
import { secretStrategy } from './secret.js';
import { serviceAccountStrategy } from './service-account.js';
import { serviceStrategy } from './service.js';

/** The rules of the kinds of the core group, by '/plural'. */
export function coreStrategies(store: Store): readonly (readonly [string, Partial<Strategy>])[] {
  return [
    ['/namespaces', namespaceStrategy],
    ['/pods', podStrategy],
    ['/services', serviceStrategy(store)],
    ['/endpoints', endpointsStrategy],
    ['/configmaps', configMapStrategy],
    ['/secrets', secretStrategy],
    ['/serviceaccounts', serviceAccountStrategy],
    ['/events', coreEventStrategy],
    ['/limitranges', limitRangeStrategy],
    ['/nodes', nodeStrategy],
    ['/persistentvolumeclaims', persistentVolumeClaimStrategy],
    ['/persistentvolumes', persistentVolumeStrategy],
    ['/podtemplates', podTemplateStrategy],
    ['/replicationcontrollers', replicationControllerStrategy],
    ['/resourcequotas', resourceQuotaStrategy],
  ];
}
