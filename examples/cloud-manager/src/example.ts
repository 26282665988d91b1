import { StorageClass } from '@kubewright/api/storage/v1';
import { CloudManager } from './api/v1/cloud-manager.js';
import { CloudManagerController } from './controllers/cloud-manager-controller.js';

export { CloudManager } from './api/v1/cloud-manager.js';

export const kinds = [CloudManager];
export const controllers = [CloudManagerController];
export const prepared = [new StorageClass({ metadata: { name: 'local-path' }, provisioner: 'rancher.io/local-path' })];
export const samples = [managerOf('sample', 'ake'), managerOf('second', 'second')];

/** Reports whether a sample is in the desired state. */
export function isConverged(cm: CloudManager): boolean {
  return cm.status?.phase === 'ready';
}

function managerOf(name: string, prefix: string): CloudManager {
  return new CloudManager({
    metadata: { name, namespace: 'default' },
    spec: {
      front: { deployment: { image: 'nginx:1.20', name: `${prefix}-front` } },
      identity: { deployment: { image: 'busybox:1.32.1', name: `${prefix}-identity` } },
      db: {
        statefulSet: { image: 'mariadb:10.3', name: `${prefix}-db`, storage: { class: 'local-path', size: '20Gi' } },
        rootPass: '123456',
      },
    },
  });
}
