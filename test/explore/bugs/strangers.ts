import { type Condition, CustomResource, Field, isReady, keyOf, Kind, setCondition } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { ConfigMap, PersistentVolumeClaim, Secret } from '@kubewright/api/core/v1';
import { Client, Controller, references, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap, statefulSet } from './children.js';

class CasskopSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) nodes = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CasskopCluster extends CustomResource(CasskopSpec) {}

/** The operator deletes all volumes with the label of the cluster, regardless of their owners. */
const volumesByLabel: Bug = {
  name: 'Sieve/casskop-316',
  source: 'https://github.com/Orange-OpenSource/casskop/issues/316',
  mechanism: 'object of another owner',
  kind: CasskopCluster,
  violates: ['foreign'],
  controller: (isFixed) => {
    @Controller({ for: CasskopCluster, owns: [PersistentVolumeClaim] })
    class CasskopController implements Reconciler<CasskopCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: CasskopCluster): Promise<Result> {
        const { name } = cluster.metadata;
        const volumes = Array.from({ length: cluster.spec.nodes }, (_, at) => volume(`data-${name}-${at}`, name));
        await this.client.applyOwned(cluster, volumes);
        return Result.done();
      }
      async finalize(cluster: CasskopCluster): Promise<Result> {
        const { name, namespace = 'default' } = cluster.metadata;
        const labels = { cluster: name };
        const volumes = isFixed
          ? await this.client.listOwned(cluster, PersistentVolumeClaim)
          : await this.client.live.list(PersistentVolumeClaim, { namespace, labels });
        for (const each of volumes) await this.client.delete(each);
        return Result.done();
      }
    }
    return CasskopController;
  },
};

class ZookeeperVolumesSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) replicas = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperVolumes extends CustomResource(ZookeeperVolumesSpec) {}

/** The operator deletes volumes with the name of the cluster that it does not need. It does not compare the uid of their owner. */
const orphanedVolumes: Bug = {
  name: 'Sieve/zookeeper-operator-312',
  source: 'https://github.com/pravega/zookeeper-operator/issues/312',
  mechanism: 'object of another owner',
  kind: ZookeeperVolumes,
  violates: ['foreign'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperVolumes, owns: [PersistentVolumeClaim] })
    class ZookeeperVolumesController implements Reconciler<ZookeeperVolumes> {
      constructor(private readonly client: Client) {}

      async reconcile(zookeeper: ZookeeperVolumes): Promise<Result> {
        const { name, namespace = 'default' } = zookeeper.metadata;
        const { replicas } = zookeeper.spec;
        const needed = Array.from({ length: replicas }, (_, at) => volume(`data-${name}-${at}`, name));
        for (const each of needed) await this.client.apply(each, { owner: zookeeper });
        const names = new Set(needed.map(({ metadata }) => metadata.name));
        const volumes = isFixed
          ? await this.client.listOwned(zookeeper, PersistentVolumeClaim)
          : await this.client.live.list(PersistentVolumeClaim, { namespace, labels: { cluster: name } });
        for (const each of volumes) if (!names.has(each.metadata.name)) await this.client.delete(each);
        return Result.done();
      }
    }
    return ZookeeperVolumesController;
  },
};

function volume(name: string, cluster: string): PersistentVolumeClaim {
  return new PersistentVolumeClaim({
    metadata: { name, labels: { cluster } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
}

class SiteSpec {
  @Field.string({ minLength: 1, maxLength: 63 }) title = 'site';
}
class SiteStatus {
  @Field.string({ optional: true }) license?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Site extends CustomResource(SiteSpec, SiteStatus) {}

const LICENSE = { name: 'license', namespace: 'default' };

/** The operator reads a Secret without watching it, so that a Secret that is created later is not used. */
const unwatchedSecret: Bug = {
  name: 'Secret without a watch',
  mechanism: 'state that must be observed',
  kind: Site,
  objects: [new Secret({ metadata: LICENSE, data: { key: 'YQ==' } })],
  violates: ['dependency'],
  controller: (isFixed) => {
    const toLicense = references(Secret, (_site: Site) => LICENSE);
    @Controller({ for: Site, ...(isFixed ? { watches: [toLicense] } : { reads: [Secret] }) })
    class SiteController implements Reconciler<Site> {
      constructor(private readonly client: Client) {}

      async reconcile(site: Site): Promise<Result> {
        const secret = await this.client.find(Secret, LICENSE);
        await this.client.patchStatus(site, { license: `${site.spec.title} ${secret?.data?.['key'] ?? 'missing'}` });
        return Result.done();
      }
    }
    return SiteController;
  },
};

class FleetSpec {
  @Field.quantity({ optional: true }) memory?: string;
}
class FleetStatus {
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Fleet extends CustomResource(FleetSpec, FleetStatus) {}

/** The status reports Ready as soon as the child is applied. */
const earlyReady: Bug = {
  name: 'Ready before the children',
  mechanism: 'state that must be observed',
  kind: Fleet,
  violates: ['ready'],
  trials: 40,
  controller: (isFixed) => {
    @Controller({ for: Fleet, owns: [StatefulSet] })
    class FleetController implements Reconciler<Fleet> {
      constructor(private readonly client: Client) {}

      async reconcile(fleet: Fleet): Promise<Result> {
        const { memory } = fleet.spec;
        const container = memory === undefined ? {} : { resources: { requests: { memory } } };
        // With OrderedReady, a Pod that no node can run would block the corrected declaration.
        const options = { podManagementPolicy: 'Parallel', container } as const;
        const [set] = await this.client.applyOwned(fleet, [statefulSet(fleet.metadata.name, options)]);
        await this.client.patchStatus(fleet, (status) => {
          setCondition(status, { type: 'Ready', status: !isFixed || isReady(set), reason: 'Applied' });
        });
        return Result.done();
      }
    }
    return FleetController;
  },
};

class VaultSpec {
  @Field.string({ minLength: 1, maxLength: 63 }) policy = 'none';
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Vault extends CustomResource(VaultSpec) {}

/** The operator does not react to changes of its child. */
const unrepairedChild: Bug = {
  name: 'child without a watch',
  mechanism: 'state that must be observed',
  kind: Vault,
  violates: ['repair', 'recreation'],
  controller: (isFixed) => {
    const rbac = [{ kind: ConfigMap, verbs: ['create', 'patch'] as const }];
    @Controller({ for: Vault, ...(isFixed ? { owns: [ConfigMap] } : { reads: [ConfigMap], rbac }) })
    class VaultController implements Reconciler<Vault> {
      constructor(private readonly client: Client) {}

      async reconcile(vault: Vault): Promise<Result> {
        const { policy } = vault.spec;
        const current = await this.client.find(ConfigMap, keyOf(vault));
        if (current?.data?.['policy'] !== policy)
          await this.client.apply(configMap(vault.metadata.name, { policy }), { owner: vault });
        return Result.done();
      }
    }
    return VaultController;
  },
};

export const strangerBugs: readonly Bug[] = [
  volumesByLabel,
  orphanedVolumes,
  unwatchedSecret,
  earlyReady,
  unrepairedChild,
];
