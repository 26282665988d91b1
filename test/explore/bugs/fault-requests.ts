import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, Inject, isConflict, type Reconciler, Result } from '@kubewright/runtime';
import type { FaultBug } from './fault-bug.js';
import { MemoryRegistrar, Registrar } from './registrar.js';

class SizeSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
class PhaseStatus {
  @Field.string({ optional: true }) phase?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PerconaServerMongoDB extends CustomResource(SizeSpec, PhaseStatus) {}

/** Every error of the creation counts as "exists already", so that the Secret is missing after a failed request. */
const ignoredError: FaultBug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-578, with a failed request',
  kind: PerconaServerMongoDB,
  faults: ['request'],
  alsoViolates: ['recreation', 'repair'],
  trials: 36,
  controller: (isFixed) => {
    @Controller({ for: PerconaServerMongoDB, owns: [Secret, ConfigMap] })
    class PerconaServerMongoDBController implements Reconciler<PerconaServerMongoDB> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: PerconaServerMongoDB): Promise<Result> {
        const { name } = mongo.metadata;
        const secret = new Secret({ metadata: { name: `${name}-ssl` }, stringData: { tls: 'certificate' } });
        const data = { size: String(mongo.spec.size) };
        if (isFixed || mongo.status?.phase !== 'Ready') {
          const created = this.client.applyOwned(mongo, [secret], { set: 'ssl' });
          await (isFixed ? created : created.catch(() => undefined));
          await this.client.patchStatus(mongo, { phase: 'Ready' });
        }
        await this.client.applyOwned(mongo, [new ConfigMap({ metadata: { name }, data })], { set: 'settings' });
        return Result.done();
      }
    }
    return PerconaServerMongoDBController;
  },
};

@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class RabbitmqCluster extends CustomResource(SizeSpec, PhaseStatus) {}

/** A conflict counts as an impossible update, so that the child is deleted and created again. */
const recreatedAfterConflict: FaultBug = {
  name: 'recreation after a conflict',
  kind: RabbitmqCluster,
  faults: ['request', 'stale'],
  trials: 55,
  controller: (isFixed) => {
    @Controller({ for: RabbitmqCluster, owns: [ConfigMap], rbac: [{ kind: ConfigMap, verbs: ['update'] }] })
    class RabbitmqClusterController implements Reconciler<RabbitmqCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(rabbit: RabbitmqCluster): Promise<Result> {
        const { name, namespace = 'default' } = rabbit.metadata;
        const data = { size: String(rabbit.spec.size) };
        const current = await this.client.find(ConfigMap, { name, namespace });
        if (current === undefined) {
          await this.client.applyOwned(rabbit, [new ConfigMap({ metadata: { name }, data })]);
        } else if (current.data?.['size'] !== data.size) {
          try {
            await this.client.update({ ...current, data });
          } catch (error) {
            if (isFixed || !isConflict(error)) throw error;
            await this.client.delete(current);
            return Result.requeueAfter('1s');
          }
        }
        return Result.done();
      }
    }
    return RabbitmqClusterController;
  },
};

@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CassandraDataCenter extends CustomResource(SizeSpec, PhaseStatus) {}

/** The status reports the registration after the call. Without the report, the operator registers again, and fails. */
const registeredTwice: FaultBug = {
  name: 'Sieve/cassandra-operator 410, with a registrar',
  kind: CassandraDataCenter,
  faults: ['crash', 'call', 'request'],
  external: () => [new MemoryRegistrar()],
  controller: (isFixed) => {
    @Controller({ for: CassandraDataCenter })
    class CassandraDataCenterController implements Reconciler<CassandraDataCenter> {
      constructor(
        private readonly client: Client,
        @Inject(Registrar) private readonly registrar: Registrar,
      ) {}

      async reconcile(center: CassandraDataCenter): Promise<Result> {
        const { name } = center.metadata;
        const isKnown = isFixed
          ? (await this.registrar.find(name)) !== undefined
          : center.status?.phase === 'Registered';
        if (!isKnown) await this.registrar.register(name);
        await this.client.patchStatus(center, { phase: 'Registered' });
        await this.registrar.change(name, String(center.spec.size));
        return Result.done();
      }
      async finalize(center: CassandraDataCenter): Promise<Result> {
        await this.registrar.remove(center.metadata.name);
        return Result.done();
      }
    }
    return CassandraDataCenterController;
  },
};

@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class NifiCluster extends CustomResource(SizeSpec, PhaseStatus) {}

/** A failed call is final, although the next call would succeed. */
const finalFailure: FaultBug = {
  name: 'a failed call is final',
  kind: NifiCluster,
  faults: ['call'],
  external: () => [new MemoryRegistrar()],
  controller: (isFixed) => {
    @Controller({ for: NifiCluster })
    class NifiClusterController implements Reconciler<NifiCluster> {
      constructor(
        private readonly client: Client,
        @Inject(Registrar) private readonly registrar: Registrar,
      ) {}

      async reconcile(nifi: NifiCluster): Promise<Result> {
        if (nifi.status?.phase === 'Failed') return Result.done();
        try {
          await this.registrar.change(nifi.metadata.name, String(nifi.spec.size));
          await this.client.patchStatus(nifi, { phase: 'Running' });
        } catch (error) {
          if (isFixed) throw error;
          await this.client.patchStatus(nifi, { phase: 'Failed' });
        }
        return Result.done();
      }
      async finalize(nifi: NifiCluster): Promise<Result> {
        await this.registrar.remove(nifi.metadata.name);
        return Result.done();
      }
    }
    return NifiClusterController;
  },
};

/** The number of steps after which a cluster is complete. */
const TABLETS = 4;
class TabletStatus {
  @Field.int32({ optional: true }) tablets?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class YBCluster extends CustomResource(SizeSpec, TabletStatus) {}

/** The controller runs in all replicas, so that replicas without the Lease also write. */
const writesWithoutLease: FaultBug = {
  name: 'writes of a replica that is not the leader',
  kind: YBCluster,
  faults: ['lease'],
  controller: (isFixed) => {
    @Controller({ for: YBCluster, owns: [ConfigMap], leaderOnly: isFixed })
    class YBClusterController implements Reconciler<YBCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: YBCluster): Promise<Result> {
        const { name } = cluster.metadata;
        const data = { size: String(cluster.spec.size) };
        await this.client.applyOwned(cluster, [new ConfigMap({ metadata: { name }, data })]);
        const done = cluster.status?.tablets ?? 0;
        if (done >= TABLETS) return Result.done();
        await this.client.patchStatus(cluster, { tablets: done + 1 });
        return Result.requeueAfter('3s');
      }
    }
    return YBClusterController;
  },
};

export const requestBugs: readonly FaultBug[] = [
  ignoredError,
  recreatedAfterConflict,
  registeredTwice,
  finalFailure,
  writesWithoutLease,
];
