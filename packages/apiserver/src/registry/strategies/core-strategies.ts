import { createRequire } from 'node:module';
import type { Store } from '../../storage/store.js';
import type { Strategy } from '../strategy.js';

const load = createRequire(import.meta.url);

/** The rules of the kinds of the core group, by '/plural', each loaded when it is asked for. */
export const coreStrategies: Readonly<Record<string, () => Partial<Strategy>>> = {
  '/namespaces': () => (load('./namespace.js') as typeof import('./namespace.js')).namespaceStrategy,
  '/pods': () => (load('./pod.js') as typeof import('./pod.js')).podStrategy,
  '/endpoints': () => (load('./endpoints.js') as typeof import('./endpoints.js')).endpointsStrategy,
  '/configmaps': () => (load('./config-map.js') as typeof import('./config-map.js')).configMapStrategy,
  '/secrets': () => (load('./secret.js') as typeof import('./secret.js')).secretStrategy,
  '/serviceaccounts': () =>
    (load('./service-account.js') as typeof import('./service-account.js')).serviceAccountStrategy,
  '/events': () => (load('./event.js') as typeof import('./event.js')).coreEventStrategy,
  '/limitranges': () => (load('./limit-range.js') as typeof import('./limit-range.js')).limitRangeStrategy,
  '/nodes': () => (load('./node.js') as typeof import('./node.js')).nodeStrategy,
  '/persistentvolumeclaims': () =>
    (load('./persistent-volume-claim.js') as typeof import('./persistent-volume-claim.js'))
      .persistentVolumeClaimStrategy,
  '/persistentvolumes': () =>
    (load('./persistent-volume.js') as typeof import('./persistent-volume.js')).persistentVolumeStrategy,
  '/podtemplates': () =>
    (load('./replication-controller.js') as typeof import('./replication-controller.js')).podTemplateStrategy,
  '/replicationcontrollers': () =>
    (load('./replication-controller.js') as typeof import('./replication-controller.js')).replicationControllerStrategy,
  '/resourcequotas': () => (load('./resource-quota.js') as typeof import('./resource-quota.js')).resourceQuotaStrategy,
};

/** The same of those that look at what is stored, which are a server's own. */
export const storeStrategies: Readonly<Record<string, (store: Store) => Partial<Strategy>>> = {
  '/services': (store) => (load('./service.js') as typeof import('./service.js')).serviceStrategy(store),
};
