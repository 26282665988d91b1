import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { type Container, Secret } from '@kubewright/api/core/v1';
import type { CloudManager } from '../api/v1/cloud-manager.js';

export function frontFor(cm: CloudManager): Deployment {
  const { name, image } = cm.spec.front.deployment;
  return deployment(cm, name, { name: 'front-container', image });
}

export function identityFor(cm: CloudManager): Deployment {
  const { name, image } = cm.spec.identity.deployment;
  return deployment(cm, name, { name: 'identity-container', image, command: ['/bin/sh', '-c', 'sleep 60m'] });
}

export function authSecretFor(cm: CloudManager): Secret {
  return new Secret({
    metadata: { name: `${cm.spec.db.statefulSet.name}auth` },
    stringData: { username: 'root', password: cm.spec.db.rootPass },
  });
}

export function databaseFor(cm: CloudManager): StatefulSet {
  const { name, image, storage } = cm.spec.db.statefulSet;
  const labels = { controller: cm.metadata.name, app: 'db' };
  const password = { secretKeyRef: { name: authSecretFor(cm).metadata.name, key: 'password' } };
  return new StatefulSet({
    metadata: { name },
    spec: {
      serviceName: name,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'db-container', image, env: [{ name: 'MARIADB_ROOT_PASSWORD', valueFrom: password }] }],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'datadir' },
          spec: {
            storageClassName: storage.class,
            accessModes: [storage.accessModes],
            resources: { requests: { storage: storage.size } },
          },
        },
      ],
    },
  });
}

function deployment(cm: CloudManager, name: string, container: Container): Deployment {
  const labels = { controller: cm.metadata.name, app: container.name };
  return new Deployment({
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  });
}
