import { CustomResource, Field, keyOf, Kind } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { ConfigMap, Service } from '@kubewright/api/core/v1';
import { Ingress } from '@kubewright/api/networking/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap, service, statefulSet } from './children.js';

class CrdbIngressSpec {
  @Field.map(Field.string({ maxLength: 253 }), { optional: true }) annotations?: Record<string, string>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CrdbIngress extends CustomResource(CrdbIngressSpec) {}

/** The operator adds annotations to the existing Ingress, but never removes an annotation. */
const addedAnnotations: Bug = {
  name: 'Acto/cockroach-operator-927',
  source: 'https://github.com/cockroachdb/cockroach-operator/issues/927',
  mechanism: 'value that stays',
  kind: CrdbIngress,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: CrdbIngress, owns: [Ingress] })
    class CrdbIngressController implements Reconciler<CrdbIngress> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: CrdbIngress): Promise<Result> {
        const { annotations = {} } = cluster.spec;
        const backend = { service: { name: 'ui', port: { number: 8080 } } };
        const ingress = new Ingress({ metadata: keyOf(cluster), spec: { defaultBackend: backend } });
        await this.client.createOrPatch(
          ingress,
          (draft) => {
            if (isFixed) draft.metadata.annotations = { ...annotations };
            else Object.assign(draft.metadata.annotations, annotations);
          },
          { owner: cluster },
        );
        return Result.done();
      }
    }
    return CrdbIngressController;
  },
};

class MongoConfigSpec {
  @Field.map(Field.string(), { optional: true }) additionalMongodConfig?: Record<string, string>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoConfig extends CustomResource(MongoConfigSpec) {}

/** The configuration of the agents starts with their previous configuration. */
const previousConfig: Bug = {
  name: 'Acto/mongodb-community-1074',
  source: 'https://github.com/mongodb/mongodb-kubernetes-operator/issues/1074',
  mechanism: 'value that stays',
  kind: MongoConfig,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: MongoConfig, owns: [ConfigMap] })
    class MongoConfigController implements Reconciler<MongoConfig> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: MongoConfig): Promise<Result> {
        const current = isFixed ? undefined : await this.client.find(ConfigMap, keyOf(mongo));
        const data = { ...current?.data, ...mongo.spec.additionalMongodConfig };
        await this.client.applyOwned(mongo, [configMap(mongo.metadata.name, data)]);
        return Result.done();
      }
    }
    return MongoConfigController;
  },
};

class ProxyPart {
  @Field.map(Field.string({ maxLength: 63 }), { optional: true }) labels?: Record<string, string>;
  @Field.int32({ minimum: 1, maximum: 3 }) size = 1;
}
class PxcProxySpec {
  @Field.object(ProxyPart, { optional: true }) haproxy?: ProxyPart;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PxcProxy extends CustomResource(PxcProxySpec) {}

/** A merge patch adds the labels of the proxy. Labels that are removed from the spec stay on the object. */
const patchedLabels: Bug = {
  name: 'Acto/percona-xtradb-1068',
  source: 'https://jira.percona.com/browse/K8SPXC-1068',
  mechanism: 'value that stays',
  kind: PxcProxy,
  violates: ['history'],
  trials: 36,
  controller: (isFixed) => {
    @Controller({ for: PxcProxy, owns: [StatefulSet] })
    class PxcProxyController implements Reconciler<PxcProxy> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: PxcProxy): Promise<Result> {
        const { haproxy } = cluster.spec;
        if (haproxy === undefined) {
          await this.client.applyOwned(cluster, []);
          return Result.done();
        }
        const { labels = {}, size } = haproxy;
        const name = `${cluster.metadata.name}-haproxy`;
        const [proxy] = await this.client.applyOwned(cluster, [
          statefulSet(name, { replicas: size, ...(isFixed && { labels }) }),
        ]);
        if (!isFixed) await this.client.patch(proxy, { merge: { metadata: { labels } } });
        return Result.done();
      }
    }
    return PxcProxyController;
  },
};

class ExporterSettings {
  @Field.boolean({ optional: true }) enabled?: boolean;
}
class RedisExporterSpec {
  @Field.object(ExporterSettings, { optional: true }) redisExporter?: ExporterSettings;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class RedisExporter extends CustomResource(RedisExporterSpec) {}

/** The operator adds the port of the exporter to the ports of the Service, but never removes the port. */
const exporterPort: Bug = {
  name: 'Acto/ot-redis-474',
  source: 'https://github.com/OT-CONTAINER-KIT/redis-operator/issues/474',
  mechanism: 'feature that stays',
  kind: RedisExporter,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: RedisExporter, owns: [Service] })
    class RedisExporterController implements Reconciler<RedisExporter> {
      constructor(private readonly client: Client) {}

      async reconcile(redis: RedisExporter): Promise<Result> {
        const current = isFixed ? undefined : await this.client.find(Service, keyOf(redis));
        const ports = new Set(current?.spec.ports?.map(({ port }) => port) ?? [6379]);
        if (redis.spec.redisExporter?.enabled === true) ports.add(9121);
        await this.client.applyOwned(redis, [service(redis.metadata.name, [...ports])]);
        return Result.done();
      }
    }
    return RedisExporterController;
  },
};

class StorageClaim {
  @Field.quantity({ optional: true }) storage?: string;
}
class TiFlash {
  @Field.list(StorageClaim, { minItems: 1, maxItems: 4 }) storageClaims!: StorageClaim[];
}
class TidbSpec {
  @Field.object(TiFlash, { optional: true }) tiflash?: TiFlash;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class TidbCluster extends CustomResource(TidbSpec) {}

/** Without a storage claim, the operator does nothing, so that the previous StatefulSet stays. */
const emptyClaim: Bug = {
  name: 'Acto/tidb-operator-4613',
  source: 'https://github.com/pingcap/tidb-operator/issues/4613',
  mechanism: 'feature that stays',
  kind: TidbCluster,
  violates: ['history', 'rollback'],
  controller: (isFixed) => {
    @Controller({ for: TidbCluster, owns: [ConfigMap] })
    class TidbClusterController implements Reconciler<TidbCluster> {
      constructor(private readonly client: Client) {}

      async reconcile(tidb: TidbCluster): Promise<Result> {
        const claims = (tidb.spec.tiflash?.storageClaims ?? []).flatMap(({ storage }) => storage ?? []);
        if (claims.length === 0 && !isFixed) return Result.done();
        const stores = claims.map((storage, at) => configMap(`${tidb.metadata.name}-tiflash-${at}`, { storage }));
        await this.client.applyOwned(tidb, stores);
        return Result.done();
      }
    }
    return TidbClusterController;
  },
};

export const removalBugs: readonly Bug[] = [addedAnnotations, previousConfig, patchedLabels, exporterPort, emptyClaim];
