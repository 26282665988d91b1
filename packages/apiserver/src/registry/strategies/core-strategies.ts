import { createRequire } from 'node:module';
import type { Store } from '../../storage/store.js';
import type { Strategy } from '../definitions/strategy.js';

const load = createRequire(import.meta.url);

/** The strategies of the core group by '/plural'. Each strategy is loaded on first use. */
export const coreStrategies: Readonly<Record<string, () => Partial<Strategy>>> = {
  '/namespaces': () => (load('./core/namespace.js') as typeof import('./core/namespace.js')).namespaceStrategy,
  '/pods': () => (load('./core/pod.js') as typeof import('./core/pod.js')).podStrategy,
  '/endpoints': () => (load('./core/endpoints.js') as typeof import('./core/endpoints.js')).endpointsStrategy,
  '/componentstatuses': () =>
    (load('./core/component-status.js') as typeof import('./core/component-status.js')).componentStatusStrategy,
  '/configmaps': () => (load('./core/config-map.js') as typeof import('./core/config-map.js')).configMapStrategy,
  '/secrets': () => (load('./core/secret.js') as typeof import('./core/secret.js')).secretStrategy,
  '/serviceaccounts': () =>
    (load('./core/service-account.js') as typeof import('./core/service-account.js')).serviceAccountStrategy,
  '/events': () => (load('./core/event.js') as typeof import('./core/event.js')).coreEventStrategy,
  '/limitranges': () => (load('./core/limit-range.js') as typeof import('./core/limit-range.js')).limitRangeStrategy,
  '/nodes': () => (load('./core/node.js') as typeof import('./core/node.js')).nodeStrategy,
  '/persistentvolumeclaims': () =>
    (load('./core/persistent-volume-claim.js') as typeof import('./core/persistent-volume-claim.js'))
      .persistentVolumeClaimStrategy,
  '/persistentvolumes': () =>
    (load('./core/persistent-volume.js') as typeof import('./core/persistent-volume.js')).persistentVolumeStrategy,
  '/podtemplates': () =>
    (load('./core/replication-controller.js') as typeof import('./core/replication-controller.js')).podTemplateStrategy,
  '/replicationcontrollers': () =>
    (load('./core/replication-controller.js') as typeof import('./core/replication-controller.js'))
      .replicationControllerStrategy,
  '/resourcequotas': () =>
    (load('./core/resource-quota.js') as typeof import('./core/resource-quota.js')).resourceQuotaStrategy,
};

/** The strategies that read the store, by '/plural'. Each server has its own instances. */
export const storeStrategies: Readonly<Record<string, (store: Store) => Partial<Strategy>>> = {
  '/services': (store) => (load('./core/service.js') as typeof import('./core/service.js')).serviceStrategy(store),
};
