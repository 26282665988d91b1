import { CustomResource, Field, keyOf, Kind } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { ConfigMap, Service } from '@kubewright/api/core/v1';
import { Ingress } from '@kubewright/api/networking/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap, service, statefulSet } from './children.js';

class IngressHost {
  @Field.string({ minLength: 1, maxLength: 63, format: 'hostname' }) host!: string;
  @Field.string({ optional: true }) tlsSecret?: string;
}
class IngressSettings {
  @Field.object(IngressHost, { optional: true }) ui?: IngressHost;
  @Field.object(IngressHost, { optional: true }) sql?: IngressHost;
}
class CrdbClusterSpec {
  @Field.object(IngressSettings, { optional: true }) ingress?: IngressSettings;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CrdbCluster extends CustomResource(CrdbClusterSpec) {}

/** Both Ingresses are updated only if the certificate of the user interface changes. */
const sqlIngress: Bug = {
  name: 'Acto/cockroach-operator-920',
  source: 'https://github.com/cockroachdb/cockroach-operator/issues/920',
  mechanism: 'field without effect',
  kind: CrdbCluster,
  violates: ['history'],
  trials: 50,
  controller: (isFixed) => {
    @Controller({ for: CrdbCluster, owns: [Ingress] })
    class CrdbClusterController implements Reconciler<CrdbCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: CrdbCluster): Promise<Result> {
        const { name, namespace = 'default' } = cluster.metadata;
        const { ui, sql } = cluster.spec.ingress ?? {};
        const find = (part: string) => this.client.find(Ingress, { name: `${name}-${part}`, namespace });
        const [currentUi, currentSql] = [await find('ui'), await find('sql')];
        const isSameUi = currentUi?.spec?.tls?.[0]?.secretName === ui?.tlsSecret;
        const isKept = !isFixed && isSameUi && sql !== undefined && currentSql?.spec !== undefined;
        const kept = isKept
          ? [new Ingress({ metadata: { name: `${name}-sql` }, spec: currentSql.spec })]
          : ingressOf(`${name}-sql`, sql);
        await this.client.applyOwned(cluster, [...ingressOf(`${name}-ui`, ui), ...kept]);
        return Result.done();
      }
    }
    return CrdbClusterController;
  },
};

function ingressOf(name: string, settings: IngressHost | undefined): readonly Ingress[] {
  if (settings === undefined) return [];
  const { host, tlsSecret } = settings;
  const backend = { service: { name, port: { number: 8080 } } };
  const tls = tlsSecret === undefined ? {} : { tls: [{ hosts: [host], secretName: tlsSecret }] };
  const rules = [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
  return [new Ingress({ metadata: { name }, spec: { rules, ...tls } })];
}

class PxcSpec {
  @Field.int64({ optional: true, minimum: 0 }) gracePeriod?: number;
  @Field.int32({ minimum: 1, maximum: 3 }) size = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PerconaXtraDbCluster extends CustomResource(PxcSpec) {}

/** A field is copied to the existing StatefulSet only if it is set. Its removal has no effect. */
const removedGracePeriod: Bug = {
  name: 'Acto/percona-xtradb-1067',
  source: 'https://jira.percona.com/browse/K8SPXC-1067',
  mechanism: 'field without effect',
  kind: PerconaXtraDbCluster,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: PerconaXtraDbCluster, owns: [StatefulSet] })
    class PxcController implements Reconciler<PerconaXtraDbCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PerconaXtraDbCluster): Promise<Result> {
        const { name, namespace = 'default' } = cluster.metadata;
        const { size, gracePeriod } = cluster.spec;
        const initial = statefulSet(name, { replicas: size });
        const set = { ...initial, metadata: { ...initial.metadata, namespace } } as StatefulSet;
        await this.client.createOrPatch(
          set,
          (draft) => {
            draft.spec.replicas = size;
            const pod = draft.spec.template.spec;
            if (pod === undefined) return;
            if (gracePeriod !== undefined) pod.terminationGracePeriodSeconds = gracePeriod;
            else if (isFixed) pod.terminationGracePeriodSeconds = 30;
          },
          { owner: cluster },
        );
        return Result.done();
      }
    }
    return PxcController;
  },
};

class PxcServicesSpec {
  @Field.map(Field.string({ maxLength: 63 }), { optional: true }) labels?: Record<string, string>;
  @Field.map(Field.string({ maxLength: 63 }), { optional: true }) serviceLabels?: Record<string, string>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PxcServices extends CustomResource(PxcServicesSpec) {}

/** The Services have the labels of the Pods instead of their own labels. */
const wrongLabels: Bug = {
  name: 'Acto/percona-xtradb-1069',
  source: 'https://jira.percona.com/browse/K8SPXC-1069',
  mechanism: 'field without effect',
  kind: PxcServices,
  violates: ['effect'],
  trials: 85,
  controller: (isFixed) => {
    @Controller({ for: PxcServices, owns: [Service, ConfigMap] })
    class PxcServicesController implements Reconciler<PxcServices> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PxcServices): Promise<Result> {
        const { name } = cluster.metadata;
        const { labels = {}, serviceLabels = {} } = cluster.spec;
        const services = ['pxc', 'pxc-unready'].map((suffix) =>
          service(`${name}-${suffix}`, [3306], isFixed ? serviceLabels : labels),
        );
        const pods = configMap(`${name}-pods`, { labels: JSON.stringify(labels) });
        await this.client.applyOwned(cluster, [...services, pods]);
        return Result.done();
      }
    }
    return PxcServicesController;
  },
};

class RedisPart {
  @Field.quantity({ optional: true }) memory?: string;
  @Field.int32({ minimum: 1, maximum: 3 }) replicas = 1;
}
class RedisFailoverSpec {
  @Field.object(RedisPart, { optional: true }) redis?: RedisPart;
  @Field.object(RedisPart, { optional: true }) sentinel?: RedisPart;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class RedisFailover extends CustomResource(RedisFailoverSpec) {}

/** The sentinels get the resources of the servers. */
const sentinelResources: Bug = {
  name: 'Acto/spotahome-redis-407',
  source: 'https://github.com/spotahome/redis-operator/issues/407',
  mechanism: 'field without effect',
  kind: RedisFailover,
  violates: ['effect'],
  trials: 95,
  controller: (isFixed) => {
    @Controller({ for: RedisFailover, owns: [StatefulSet] })
    class RedisFailoverController implements Reconciler<RedisFailover> {
      constructor(private readonly client: Client) {}

      async reconcile(failover: RedisFailover): Promise<Result> {
        const { redis = new RedisPart(), sentinel = new RedisPart() } = failover.spec;
        const resourcesOf = ({ memory }: RedisPart) =>
          memory === undefined ? {} : { resources: { requests: { memory } } };
        const { name } = failover.metadata;
        await this.client.applyOwned(failover, [
          statefulSet(`${name}-redis`, { replicas: redis.replicas, container: resourcesOf(redis) }),
          statefulSet(`${name}-sentinel`, {
            replicas: sentinel.replicas,
            container: resourcesOf(isFixed ? sentinel : redis),
          }),
        ]);
        return Result.done();
      }
    }
    return RedisFailoverController;
  },
};

class ZookeeperConfig {
  @Field.int32({ minimum: 1, maximum: 10_000 }) tickTime = 2000;
}
class ZookeeperConfigSpec {
  @Field.object(ZookeeperConfig) config: ZookeeperConfig = new ZookeeperConfig();
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperSettings extends CustomResource(ZookeeperConfigSpec) {}

/** The operator updates the ConfigMap, but the Pods still run with the previous values. */
const runningConfig: Bug = {
  name: 'Acto/zookeeper-454',
  source: 'https://github.com/pravega/zookeeper-operator/issues/454',
  mechanism: 'field without effect',
  kind: ZookeeperSettings,
  violates: ['rollout'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperSettings, owns: [ConfigMap, StatefulSet] })
    class ZookeeperSettingsController implements Reconciler<ZookeeperSettings> {
      constructor(private readonly client: Client) {}

      async reconcile(zookeeper: ZookeeperSettings): Promise<Result> {
        const { name } = zookeeper.metadata;
        const data = { ZOO_TICK_TIME: String(zookeeper.spec.config.tickTime) };
        const version = isFixed ? `-${data.ZOO_TICK_TIME}` : '';
        const config = configMap(`${name}-config${version}`, data);
        const envFrom = [{ configMapRef: { name: config.metadata.name } }];
        await this.client.applyOwned(zookeeper, [config, statefulSet(name, { container: { envFrom } })]);
        return Result.done();
      }
    }
    return ZookeeperSettingsController;
  },
};

class ZookeeperUpdateSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) replicas = 1;
  @Field.enum(['RollingUpdate', 'OnDelete'], { optional: true }) updateStrategy?: 'RollingUpdate' | 'OnDelete';
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperUpdates extends CustomResource(ZookeeperUpdateSpec) {}

/** An existing StatefulSet gets only the replicas and the template. */
const partlyCopied: Bug = {
  name: 'Acto/zookeeper-474',
  source: 'https://github.com/pravega/zookeeper-operator/issues/474',
  mechanism: 'field without effect',
  kind: ZookeeperUpdates,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperUpdates, owns: [StatefulSet] })
    class ZookeeperUpdatesController implements Reconciler<ZookeeperUpdates> {
      constructor(private readonly client: Client) {}

      async reconcile(zookeeper: ZookeeperUpdates): Promise<Result> {
        const { name, namespace = 'default' } = zookeeper.metadata;
        const { replicas, updateStrategy: type = 'RollingUpdate' } = zookeeper.spec;
        const { metadata, spec } = statefulSet(name, { replicas });
        const desired = new StatefulSet({
          metadata: { name: metadata.name, namespace },
          spec: { ...spec, updateStrategy: { type } },
        });
        const current = await this.client.find(StatefulSet, keyOf(desired));
        if (current === undefined) await this.client.create(desired, { owner: zookeeper });
        else
          await this.client.patch(current, (draft) => {
            draft.spec.replicas = replicas;
            if (isFixed) draft.spec.updateStrategy = { type };
          });
        return Result.done();
      }
    }
    return ZookeeperUpdatesController;
  },
};

class ProbeSettings {
  @Field.int32({ optional: true, minimum: 1 }) periodSeconds?: number;
  @Field.int32({ optional: true, minimum: 1 }) timeoutSeconds?: number;
}
class ZookeeperProbesSpec {
  @Field.object(ProbeSettings, { optional: true }) livenessProbe?: ProbeSettings;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperProbes extends CustomResource(ZookeeperProbesSpec) {}

/** The settings of a probe are merged with the previous settings. */
const mergedProbe: Bug = {
  name: 'Acto/zookeeper-541',
  source: 'https://github.com/pravega/zookeeper-operator/issues/541',
  mechanism: 'field without effect',
  kind: ZookeeperProbes,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperProbes, owns: [StatefulSet] })
    class ZookeeperProbesController implements Reconciler<ZookeeperProbes> {
      constructor(private readonly client: Client) {}

      async reconcile(zookeeper: ZookeeperProbes): Promise<Result> {
        const { name } = zookeeper.metadata;
        const current = await this.client.find(StatefulSet, keyOf(zookeeper));
        const [running] = current?.spec.template.spec?.containers ?? [];
        const { periodSeconds, timeoutSeconds } = running?.livenessProbe ?? {};
        const before = isFixed || periodSeconds === undefined ? {} : { periodSeconds, timeoutSeconds };
        const exec = { command: ['zookeeperLive.sh'] };
        const livenessProbe = { exec, ...before, ...zookeeper.spec.livenessProbe };
        await this.client.applyOwned(zookeeper, [statefulSet(name, { container: { livenessProbe } })]);
        return Result.done();
      }
    }
    return ZookeeperProbesController;
  },
};

export const effectBugs: readonly Bug[] = [
  sqlIngress,
  removedGracePeriod,
  wrongLabels,
  sentinelResources,
  runningConfig,
  partlyCopied,
  mergedProbe,
];
