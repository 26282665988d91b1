import { CustomResource, Field, isConditionTrue, Kind } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Job } from '@kubewright/api/batch/v1';
import { ConfigMap, PersistentVolumeClaim, Pod } from '@kubewright/api/core/v1';
import { Client, Controller, ignoreNotFound, type Reconciler, Result } from '@kubewright/runtime';
import type { FaultBug } from './fault-bug.js';

class ImageSpec {
  @Field.enum(['app:1', 'app:2']) image: 'app:1' | 'app:2' = 'app:1';
}
class BackupStatus {
  @Field.string({ optional: true }) retried?: string;
  @Field.string({ optional: true }) failed?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PerconaXtraDBCluster extends CustomResource(ImageSpec, BackupStatus) {}

/** The failure of a Job is reported only if the operator has observed that the Job was retried. */
const unobservedRetry: FaultBug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-585, with a Job',
  kind: PerconaXtraDBCluster,
  faults: ['event'],
  controller: (isFixed) => {
    @Controller({ for: PerconaXtraDBCluster, owns: [Job] })
    class PerconaXtraDBClusterController implements Reconciler<PerconaXtraDBCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PerconaXtraDBCluster): Promise<Result> {
        const { image } = cluster.spec;
        const name = `${cluster.metadata.name}-${image.replace(':', '-')}`;
        const containers = [{ name: 'backup', image, command: ['false'] }];
        const template = { spec: { containers, restartPolicy: 'Never' } } as const;
        const [job] = await this.client.applyOwned(cluster, [
          new Job({ metadata: { name }, spec: { backoffLimit: 1, template } }),
        ]);
        const isFailed = isConditionTrue(job, 'Failed');
        if ((job.status?.failed ?? 0) > 0 && !isFailed && !isFixed) {
          await this.client.patchStatus(cluster, { retried: image });
        } else if (isFailed && (isFixed || cluster.status?.retried === image)) {
          await this.client.patchStatus(cluster, { failed: image });
        }
        return Result.done();
      }
    }
    return PerconaXtraDBClusterController;
  },
};

class ReadyStatus {
  @Field.int32({ optional: true }) ready?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoDBCommunity extends CustomResource(ImageSpec, ReadyStatus) {}

/** The number of ready Pods is read when the Deployment changes, although the cache of Pods can be older than the Deployment. */
const olderPods: FaultBug = {
  name: 'the Pods are older than their Deployment',
  kind: MongoDBCommunity,
  faults: ['watch', 'event'],
  controller: (isFixed) => {
    @Controller({ for: MongoDBCommunity, owns: [Deployment], reads: [Pod] })
    class MongoDBCommunityController implements Reconciler<MongoDBCommunity> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: MongoDBCommunity): Promise<Result> {
        const { name, namespace = 'default' } = mongo.metadata;
        const [{ status }] = await this.client.applyOwned(mongo, [deploymentOf(name, mongo.spec.image)]);
        if ((status?.readyReplicas ?? 0) < 1) return Result.done();
        const pods = await this.client.list(Pod, { namespace });
        const ready = pods.filter((pod) => pod.status?.phase === 'Running' && pod.metadata.labels?.['app'] === name);
        await this.client.patchStatus(mongo, { ready: Math.min(ready.length, 1) });
        return isFixed && ready.length === 0 ? Result.requeueAfter('2s') : Result.done();
      }
    }
    return MongoDBCommunityController;
  },
};

class SizeSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) size = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class RabbitmqCluster extends CustomResource(SizeSpec) {}

/** Another size than in the declaration counts as a resize, which deletes the volume. The declaration can be older than the volume. */
const resizedByStaleSize: FaultBug = {
  name: 'Sieve/rabbitmq-cluster-operator 653',
  kind: RabbitmqCluster,
  faults: ['stale'],
  trials: 38,
  controller: (isFixed) => {
    @Controller({ for: RabbitmqCluster, owns: [ConfigMap] })
    class RabbitmqClusterController implements Reconciler<RabbitmqCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(rabbit: RabbitmqCluster): Promise<Result> {
        const { name, namespace = 'default' } = rabbit.metadata;
        const data = { size: String(rabbit.spec.size) };
        const current = await this.client.live.find(ConfigMap, { name, namespace });
        const isResized = current !== undefined && current.data?.['size'] !== data.size;
        if (isResized && !isFixed) await this.client.delete(current);
        await this.client.applyOwned(rabbit, [new ConfigMap({ metadata: { name }, data })]);
        return Result.done();
      }
    }
    return RabbitmqClusterController;
  },
};

@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PerconaServerMongoDB extends CustomResource(SizeSpec) {}

/** The finalizer deletes the volumes by their names, although they can belong to a newer object with the same name. */
const volumesOfNewerObject: FaultBug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-430',
  kind: PerconaServerMongoDB,
  faults: ['stale'],
  controller: (isFixed) => {
    @Controller({
      for: PerconaServerMongoDB,
      rbac: [{ kind: PersistentVolumeClaim, verbs: ['get', 'create', 'patch', 'delete'] }],
    })
    class PerconaServerMongoDBController implements Reconciler<PerconaServerMongoDB> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: PerconaServerMongoDB): Promise<Result> {
        const claim = isFixed ? await this.#claimOf(mongo) : undefined;
        if (claim !== undefined && !isOf(mongo, claim)) return Result.requeueAfter('5s');
        await this.client.apply(claimOf(mongo));
        return Result.done();
      }
      async finalize(mongo: PerconaServerMongoDB): Promise<Result> {
        const claim = await this.#claimOf(mongo);
        const isDeleted = claim !== undefined && (isOf(mongo, claim) || !isFixed);
        if (isDeleted) await this.client.delete(claim).catch(ignoreNotFound);
        return Result.done();
      }

      #claimOf(mongo: PerconaServerMongoDB): Promise<PersistentVolumeClaim | undefined> {
        return this.client.live.find(PersistentVolumeClaim, claimOf(mongo).metadata);
      }
    }
    return PerconaServerMongoDBController;
  },
};

class MembersSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) size = 2;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CassandraDataCenter extends CustomResource(MembersSpec) {}

/** The last member of a list counts as the newest member, although a list has no order. */
const lastOfList: FaultBug = {
  name: 'Sieve/cassandra-operator 400',
  kind: CassandraDataCenter,
  samples: [new CassandraDataCenter({ metadata: { name: 'a' }, spec: { size: 3 } })],
  faults: ['order'],
  trials: 36,
  controller: (isFixed) => {
    @Controller({ for: CassandraDataCenter, owns: [ConfigMap] })
    class CassandraDataCenterController implements Reconciler<CassandraDataCenter> {
      constructor(private readonly client: Client) {}

      async reconcile(center: CassandraDataCenter): Promise<Result> {
        const members = [...(await this.client.listOwned(center, ConfigMap))];
        if (isFixed) members.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
        const names = members.map(({ metadata }) => metadata.name).slice(0, center.spec.size);
        for (let at = 0; names.length < center.spec.size; at++) {
          const name = `${center.metadata.name}-${at}`;
          if (!names.includes(name)) names.push(name);
        }
        await this.client.applyOwned(
          center,
          names.map((name) => new ConfigMap({ metadata: { name } })),
        );
        return Result.done();
      }
    }
    return CassandraDataCenterController;
  },
};

function deploymentOf(name: string, image: string): Deployment {
  const labels = { app: name };
  return new Deployment({
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image }] } },
    },
  });
}

function claimOf(mongo: PerconaServerMongoDB): PersistentVolumeClaim {
  const { name, namespace = 'default', uid } = mongo.metadata;
  return new PersistentVolumeClaim({
    metadata: { name: `data-${name}`, namespace, labels: { owner: uid, size: String(mongo.spec.size) } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  });
}

function isOf({ metadata: { uid } }: PerconaServerMongoDB, claim: PersistentVolumeClaim): boolean {
  return claim.metadata.labels?.['owner'] === uid;
}

export const eventBugs: readonly FaultBug[] = [
  unobservedRetry,
  olderPods,
  resizedByStaleSize,
  volumesOfNewerObject,
  lastOfList,
];
