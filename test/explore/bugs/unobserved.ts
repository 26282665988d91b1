import { CustomResource, Field, keyOf, Kind } from '@kubewright/api';
import { ConfigMap, PersistentVolumeClaim } from '@kubewright/api/core/v1';
import { Client, Controller, Inject, type Manager, type Reconciler, Result, token } from '@kubewright/runtime';
import type { ExternalSystem } from '@kubewright/testing';
import type { Bug } from './bug.js';
import { configMap } from './children.js';

/** The nodes of Cassandra rings that are decommissioned. */
class CassandraRings implements ExternalSystem {
  readonly decommissioned = new Set<string>();

  provide(manager: Manager): void {
    manager.provide(Rings, { value: this });
  }
  state(): unknown {
    return [...this.decommissioned].toSorted();
  }
}
const Rings = token<CassandraRings>('CassandraRings');

class DataCenterSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) replicas = 2;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CassandraDataCenter extends CustomResource(DataCenterSpec) {}

/**
 * One reconcile decommissions a node, and the next reconcile removes the Pod of the node. If the size is restored before, the Pod remains,
 * but the node stays decommissioned.
 */
const decommissioned: Bug = {
  name: 'Sieve/cassandra-operator-410',
  source: 'https://github.com/instaclustr/cassandra-operator/issues/410',
  mechanism: 'state that must be observed',
  kind: CassandraDataCenter,
  external: () => [new CassandraRings()],
  violates: ['quick', 'history'],
  controller: (isFixed) => {
    @Controller({ for: CassandraDataCenter, owns: [ConfigMap] })
    class CassandraController implements Reconciler<CassandraDataCenter> {
      constructor(
        private readonly client: Client,
        @Inject(Rings) private readonly rings: CassandraRings,
      ) {}

      async reconcile(dataCenter: CassandraDataCenter): Promise<Result> {
        const { name } = dataCenter.metadata;
        const { replicas } = dataCenter.spec;
        const running = (await this.client.listOwned(dataCenter, ConfigMap)).length;
        const leaving = `${name}-${running - 1}`;
        if (running > replicas && !this.rings.decommissioned.has(leaving)) {
          this.rings.decommissioned.add(leaving);
          return Result.requeueAfter('20s');
        }
        const size = running > replicas ? running - 1 : replicas;
        const nodes = Array.from({ length: size }, (_, at) => configMap(`${name}-${at}`, {}));
        await this.client.applyOwned(dataCenter, nodes);
        this.rings.decommissioned.delete(running > replicas ? leaving : '');
        if (isFixed && running <= replicas) this.forget(name);
        return size > replicas ? Result.requeueAfter('1s') : Result.done();
      }
      finalize(dataCenter: CassandraDataCenter): Promise<Result> {
        this.forget(dataCenter.metadata.name);
        return Promise.resolve(Result.done());
      }

      private forget(name: string): void {
        for (let at = 0; at < 3; at++) this.rings.decommissioned.delete(`${name}-${at}`);
      }
    }
    return CassandraController;
  },
};

class PsmdbArbiterSpec {
  @Field.boolean({ optional: true }) arbiter?: boolean;
}
class PsmdbArbiterStatus {
  @Field.boolean({ optional: true }) arbiter?: boolean;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PsmdbArbiter extends CustomResource(PsmdbArbiterSpec, PsmdbArbiterStatus) {}

/** When the arbiter is switched on, a data member is replaced. The volume of the member is deleted only in this step. */
const replacedMember: Bug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-585',
  source: 'https://jira.percona.com/browse/K8SPSMDB-585',
  mechanism: 'state that must be observed',
  kind: PsmdbArbiter,
  samples: [new PsmdbArbiter({ metadata: { name: 'mongo' }, spec: { arbiter: true } })],
  violates: ['quick', 'history', 'crash', 'away'],
  controller: (isFixed) => {
    @Controller({ for: PsmdbArbiter, owns: [ConfigMap, PersistentVolumeClaim] })
    class PsmdbArbiterController implements Reconciler<PsmdbArbiter> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: PsmdbArbiter): Promise<Result> {
        const { name } = mongo.metadata;
        const { arbiter = false } = mongo.spec;
        const members = ['0', '1', arbiter ? 'arbiter' : '2'].map((suffix) => configMap(`${name}-${suffix}`, {}));
        await this.client.applyOwned(mongo, members, { set: 'members' });
        const before = mongo.status?.arbiter;
        if (isFixed) await this.client.applyOwned(mongo, arbiter ? [] : [claim(`data-${name}-2`)], { set: 'volumes' });
        else if (before === true && !arbiter) await this.addVolume(mongo, `data-${name}-2`);
        await this.client.patchStatus(mongo, { arbiter });
        return Result.done();
      }

      private async addVolume(mongo: PsmdbArbiter, name: string): Promise<void> {
        await this.client.apply(claim(name), { owner: mongo });
      }
    }
    return PsmdbArbiterController;
  },
};

function claim(name: string): PersistentVolumeClaim {
  return new PersistentVolumeClaim({
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'provided-by-an-administrator',
      resources: { requests: { storage: '1Gi' } },
    },
  });
}

class PxcSizeSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) size = 1;
}
class PxcSizeStatus {
  @Field.int32({ optional: true }) size?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PxcSize extends CustomResource(PxcSizeSpec, PxcSizeStatus) {}

/** The volumes of removed members are deleted according to the last size in the status, which is written after the members have joined. */
const volumesOfMembers: Bug = {
  name: 'Sieve/percona-xtradb K8SPXC-918',
  source: 'https://jira.percona.com/browse/K8SPXC-918',
  mechanism: 'state that must be observed',
  kind: PxcSize,
  violates: ['quick', 'history', 'crash'],
  controller: (isFixed) => {
    @Controller({ for: PxcSize, owns: [PersistentVolumeClaim] })
    class PxcSizeController implements Reconciler<PxcSize> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PxcSize): Promise<Result> {
        const {
          metadata,
          spec: { size },
          status,
        } = cluster;
        const name = (at: number): string => `data-${metadata.name}-${at}`;
        const volumes = await this.client.listOwned(cluster, PersistentVolumeClaim);
        for (let at = 0; at < size; at++) {
          if (volumes.some((volume) => volume.metadata.name === name(at))) continue;
          await this.client.create(claim(name(at)), { owner: cluster });
        }
        const isRemoved = (volume: PersistentVolumeClaim): boolean => {
          const at = Number(volume.metadata.name.split('-').at(-1));
          return at >= size && (isFixed || at < (status?.size ?? 0));
        };
        for (const volume of volumes.filter(isRemoved)) await this.client.delete(volume);
        const haveJoined = volumes.length >= size;
        if (!haveJoined) return Result.requeueAfter('20s');
        await this.client.patchStatus(cluster, { size });
        return Result.done();
      }
    }
    return PxcSizeController;
  },
};

class YbClusterSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) tserverReplicas = 1;
}
class YbClusterStatus {
  @Field.int32({ optional: true }) targetedReplicas?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class YbCluster extends CustomResource(YbClusterSpec, YbClusterStatus) {}

/** The operator scales down only if it has recorded the larger size before. */
const recordedSize: Bug = {
  name: 'Sieve/yugabyte-operator-39',
  source: 'https://github.com/yugabyte/yugabyte-operator/issues/39',
  mechanism: 'state that must be observed',
  kind: YbCluster,
  violates: ['quick', 'crash', 'history'],
  controller: (isFixed) => {
    @Controller({ for: YbCluster, owns: [ConfigMap] })
    class YbClusterController implements Reconciler<YbCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: YbCluster): Promise<Result> {
        const {
          metadata: { name },
          spec: { tserverReplicas: desired },
          status,
        } = cluster;
        const current = Number((await this.client.find(ConfigMap, keyOf(cluster)))?.data?.['tservers']) || 0;
        const hasShrunk = isFixed || desired < (status?.targetedReplicas ?? 0);
        const replicas = hasShrunk ? desired : Math.max(current, desired);
        await this.client.applyOwned(cluster, [configMap(name, { tservers: String(replicas) })]);
        if (current !== replicas) return Result.requeueAfter('10s');
        await this.client.patchStatus(cluster, { targetedReplicas: replicas });
        return Result.done();
      }
    }
    return YbClusterController;
  },
};

class NifiNodesSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) nodes = 1;
}
class NifiNodesStatus {
  @Field.map(Field.string(), { optional: true }) actions?: Record<string, string>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class NifiNodes extends CustomResource(NifiNodesSpec, NifiNodesStatus) {}

/** A node that is removed while it joins is never reported as joined, and is therefore never removed. */
const removedWhileJoining: Bug = {
  name: 'Sieve/nifikop-86',
  source: 'https://github.com/konpyutaika/nifikop/issues/86',
  mechanism: 'state that must be observed',
  kind: NifiNodes,
  violates: ['quick', 'history'],
  controller: (isFixed) => {
    @Controller({ for: NifiNodes, owns: [ConfigMap] })
    class NifiNodesController implements Reconciler<NifiNodes> {
      constructor(private readonly client: Client) {}

      async reconcile(nifi: NifiNodes): Promise<Result> {
        const { name } = nifi.metadata;
        const before = nifi.status?.actions ?? {};
        const actions: Record<string, string> = {};
        for (let id = 0; id < nifi.spec.nodes; id++) {
          const state = before[id];
          actions[id] = state === undefined ? 'UpscaleRunning' : 'UpscaleSucceeded';
        }
        for (const [id, state] of Object.entries(before)) {
          const isJoining = state !== 'UpscaleSucceeded' && !isFixed;
          if (!(id in actions) && isJoining) actions[id] = state;
        }
        const nodes = Object.keys(actions).map((id) => configMap(`${name}-${id}`, {}));
        await this.client.applyOwned(nifi, nodes);
        await this.client.patchStatus(nifi, (status) => {
          status.actions = actions;
        });
        const isJoining = Object.values(actions).includes('UpscaleRunning');
        return isJoining ? Result.requeueAfter('10s') : Result.done();
      }
    }
    return NifiNodesController;
  },
};

export const unobservedBugs: readonly Bug[] = [
  decommissioned,
  replacedMember,
  volumesOfMembers,
  recordedSize,
  removedWhileJoining,
];
