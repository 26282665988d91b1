import { randomBytes } from 'node:crypto';
import type { ConditionInit } from '@kubewright/api';
import { isReady } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { type EnvVar, Secret, Service } from '@kubewright/api/core/v1';
import type { Database } from '../api/v1/database.js';
import type { Version } from '../api/v1/version.js';

const PORT = 3306;

export function imageOf(version: Version): string {
  return `mariadb:${version}`;
}

/** Returns the labels of the server's Pod and of its volume claim. */
export function labelsOf({ metadata }: Database): Readonly<Record<string, string>> {
  return { 'db.example.com/database': metadata.name };
}

/** Returns a Secret with a new random password. The controller creates the Secret once and never applies it. */
export function secretFor({ metadata }: Database): Secret {
  return new Secret({
    metadata: { name: `${metadata.name}-root` },
    immutable: true,
    stringData: { password: randomBytes(24).toString('base64url') },
  });
}

/** Puts the password into the environment of a container. The operator itself never reads the password. */
export function passwordAs(name: string, { metadata }: Database): EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: `${metadata.name}-root`, key: 'password' } } };
}

/** Returns the Service that gives the Pod of the server a DNS name. */
export function serviceFor(db: Database): Service {
  return new Service({
    metadata: { name: db.metadata.name },
    spec: { clusterIP: 'None', selector: labelsOf(db), ports: [{ name: 'mariadb', port: PORT }] },
  });
}

export function statefulSetFor(db: Database, version: Version): StatefulSet {
  const { name } = db.metadata;
  return new StatefulSet({
    metadata: { name },
    spec: {
      serviceName: name,
      selector: { matchLabels: labelsOf(db) },
      template: {
        metadata: { labels: labelsOf(db) },
        spec: {
          containers: [
            {
              name: 'mariadb',
              image: imageOf(version),
              env: [passwordAs('MARIADB_ROOT_PASSWORD', db), { name: 'MARIADB_AUTO_UPGRADE', value: '1' }],
              ports: [{ name: 'mariadb', containerPort: PORT }],
              volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: db.spec.storage } } },
        },
      ],
    },
  });
}

/** Returns the condition that reports whether the database is ready. */
export function ready(server: StatefulSet): ConditionInit {
  return isReady(server)
    ? { type: 'Ready', status: true, reason: 'Running' }
    : { type: 'Ready', status: false, reason: 'Starting', message: 'waiting for the Pod of the StatefulSet' };
}
