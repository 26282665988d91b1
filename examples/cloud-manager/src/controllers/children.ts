import type { KubeObject } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { type Container, Secret, Service } from '@kubewright/api/core/v1';
import type { CloudManager } from '../api/v1/cloud-manager.js';

export function frontFor(cm: CloudManager): Deployment {
  const { name, image } = cm.spec.front.deployment;
  return deployment(cm, name, { app: 'front', container: { name: 'front-container', image } });
}

export function identityFor(cm: CloudManager): Deployment {
  const { name, image } = cm.spec.identity.deployment;
  const container = { name: 'identity-container', image, command: ['/bin/sh', '-c', 'sleep 60m'] };
  return deployment(cm, name, { app: 'identity', container });
}

export function authSecretFor(cm: CloudManager): Secret {
  return new Secret({
    metadata: { name: `${cm.spec.db.statefulSet.name}auth` },
    stringData: { username: 'root', password: cm.spec.db.rootPass },
  });
}

/** Returns the Service that gives each Pod of the database a DNS name. */
export function databaseServiceFor(cm: CloudManager): Service {
  return new Service({
    metadata: { name: cm.spec.db.statefulSet.name },
    spec: { clusterIP: 'None', selector: labelsOf(cm, 'db'), ports: [{ name: 'mysql', port: 3306 }] },
  });
}

export function databaseFor(cm: CloudManager): StatefulSet {
  const { name, image, storage } = cm.spec.db.statefulSet;
  const labels = labelsOf(cm, 'db');
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
          // The volumes are deleted with the CloudManager, not with the StatefulSet.
          metadata: { name: 'datadir', ownerReferences: [ownerReferenceTo(cm)] },
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

/** Reports whether more than half of the replicas of a Deployment or StatefulSet are ready. Returns true for all other children. */
export function isAvailable(child: KubeObject): boolean {
  if (child.kind !== 'Deployment' && child.kind !== 'StatefulSet') return true;
  const { replicas = 0, readyReplicas = 0 } = (child as Deployment | StatefulSet).status ?? {};
  return readyReplicas > replicas / 2;
}

function deployment(
  cm: CloudManager,
  name: string,
  { app, container }: { readonly app: string; readonly container: Container },
): Deployment {
  const labels = labelsOf(cm, app);
  return new Deployment({
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  });
}

function labelsOf(cm: CloudManager, app: string): Readonly<Record<string, string>> {
  return { controller: cm.metadata.name, app };
}

function ownerReferenceTo({ apiVersion, kind, metadata: { name, uid } }: CloudManager) {
  return { apiVersion, kind, name, uid };
}
