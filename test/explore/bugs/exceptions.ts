import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';
import { configMap } from './children.js';

class LabelSelector {
  @Field.map(Field.string(), { optional: true }) matchLabels?: Record<string, string>;
}
class SpreadConstraint {
  @Field.int32({ minimum: 1 }) maxSkew!: number;
  @Field.string({ minLength: 1 }) topologyKey!: string;
  @Field.object(LabelSelector, { optional: true }) labelSelector?: LabelSelector;
}
class CrdbSpreadSpec {
  @Field.list(SpreadConstraint, { optional: true, maxItems: 4 }) topologySpreadConstraints?: SpreadConstraint[];
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class CrdbSpread extends CustomResource(CrdbSpreadSpec) {}

/** A constraint without a selector causes an exception. */
const missingSelector: Bug = {
  name: 'Acto/cockroach-operator-953',
  source: 'https://github.com/cockroachdb/cockroach-operator/issues/953',
  mechanism: 'exception',
  kind: CrdbSpread,
  violates: ['exception'],
  controller: (isFixed) => {
    @Controller({ for: CrdbSpread, owns: [ConfigMap] })
    class CrdbSpreadController implements Reconciler<CrdbSpread> {
      constructor(private readonly client: Client) {}

      async reconcile(cluster: CrdbSpread): Promise<Result> {
        const constraints = cluster.spec.topologySpreadConstraints ?? [];
        const texts = constraints.map(({ maxSkew, topologyKey, labelSelector }) => {
          const labels = isFixed ? (labelSelector?.matchLabels ?? {}) : (labelSelector as LabelSelector).matchLabels;
          return `${maxSkew} ${topologyKey} ${JSON.stringify(labels)}`;
        });
        await this.client.applyOwned(cluster, [configMap(cluster.metadata.name, { spread: texts.join('\n') })]);
        return Result.done();
      }
    }
    return CrdbSpreadController;
  },
};

class S3Storage {
  @Field.string({ minLength: 1 }) bucket!: string;
}
class BackupStorage {
  @Field.enum(['s3', 'filesystem']) type!: 's3' | 'filesystem';
  @Field.object(S3Storage, { optional: true }) s3?: S3Storage;
}
class PxcBackupSpec {
  @Field.map(BackupStorage, { optional: true }) storages?: Record<string, BackupStorage>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class PxcBackup extends CustomResource(PxcBackupSpec) {}

/** A storage of the type s3 without a bucket causes an exception. */
const missingBucket: Bug = {
  name: 'Acto/percona-xtradb-1060',
  source: 'https://jira.percona.com/browse/K8SPXC-1060',
  mechanism: 'exception',
  kind: PxcBackup,
  violates: ['exception'],
  controller: (isFixed) => {
    @Controller({ for: PxcBackup, owns: [ConfigMap] })
    class PxcBackupController implements Reconciler<PxcBackup> {
      constructor(private readonly client: Client) {}

      async reconcile(backup: PxcBackup): Promise<Result> {
        const places = Object.entries(backup.spec.storages ?? {}).map(([name, { type, s3 }]) => {
          if (type === 'filesystem') return `${name}: file`;
          return `${name}: ${isFixed ? s3?.bucket : (s3 as S3Storage).bucket}`;
        });
        await this.client.applyOwned(backup, [configMap(backup.metadata.name, { places: places.join('\n') })]);
        return Result.done();
      }
    }
    return PxcBackupController;
  },
};

class ClaimTemplate {
  @Field.quantity({ optional: true }) size?: string;
}
class RedisStorage {
  @Field.object(ClaimTemplate, { optional: true }) volumeClaimTemplate?: ClaimTemplate;
}
class RedisStorageSpec {
  @Field.object(RedisStorage, { optional: true }) storage?: RedisStorage;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class RedisWithStorage extends CustomResource(RedisStorageSpec) {}

/** A storage without a template causes an exception. */
const missingTemplate: Bug = {
  name: 'Acto/ot-redis-283',
  source: 'https://github.com/OT-CONTAINER-KIT/redis-operator/issues/283',
  mechanism: 'exception',
  kind: RedisWithStorage,
  violates: ['exception'],
  controller: (isFixed) => {
    @Controller({ for: RedisWithStorage, owns: [ConfigMap] })
    class RedisWithStorageController implements Reconciler<RedisWithStorage> {
      constructor(private readonly client: Client) {}

      async reconcile(redis: RedisWithStorage): Promise<Result> {
        const { storage } = redis.spec;
        const template = storage?.volumeClaimTemplate;
        const hasVolume = isFixed ? template !== undefined : storage !== undefined;
        const size = hasVolume ? ((template as ClaimTemplate).size ?? '1Gi') : 'none';
        await this.client.applyOwned(redis, [configMap(redis.metadata.name, { size })]);
        return Result.done();
      }
    }
    return RedisWithStorageController;
  },
};

class PortSettings {
  @Field.int32({ minimum: 1, maximum: 65535 }) port!: number;
}
class ExecSettings {
  @Field.list(Field.string(), { optional: true, maxItems: 4 }) command?: string[];
}
class RedisProbe {
  @Field.object(PortSettings, { optional: true }) tcpSocket?: PortSettings;
  @Field.object(ExecSettings, { optional: true }) exec?: ExecSettings;
  @Field.object(PortSettings, { optional: true }) grpc?: PortSettings;
}
class RedisProbeSpec {
  @Field.object(RedisProbe, { optional: true }) livenessProbe?: RedisProbe;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class RedisWithProbe extends CustomResource(RedisProbeSpec) {}

type ProbeSpec = NonNullable<RedisWithProbe['spec']['livenessProbe']>;
type ProbeTexts = Readonly<Record<string, (probe: ProbeSpec) => string>>;
const PROBES: ProbeTexts = {
  tcpSocket: ({ tcpSocket }) => `tcp ${tcpSocket?.port}`,
  exec: ({ exec }) => `exec ${exec?.command?.join(' ')}`,
};
const ALL_PROBES: ProbeTexts = { ...PROBES, grpc: ({ grpc }) => `grpc ${grpc?.port}` };

/** The operator does not know a kind of probe that the schema permits. */
const unknownProbe: Bug = {
  name: 'Acto/ot-redis-292',
  source: 'https://github.com/OT-CONTAINER-KIT/redis-operator/pull/292',
  mechanism: 'exception',
  kind: RedisWithProbe,
  violates: ['exception'],
  controller: (isFixed) => {
    const probes = isFixed ? ALL_PROBES : PROBES;
    @Controller({ for: RedisWithProbe, owns: [ConfigMap] })
    class RedisWithProbeController implements Reconciler<RedisWithProbe> {
      constructor(private readonly client: Client) {}

      async reconcile(redis: RedisWithProbe): Promise<Result> {
        const { livenessProbe: probe = {} } = redis.spec;
        const texts = Object.keys(probe).map((kind) => (probes[kind] as (given: ProbeSpec) => string)(probe));
        await this.client.applyOwned(redis, [configMap(redis.metadata.name, { probes: texts.join('\n') })]);
        return Result.done();
      }
    }
    return RedisWithProbeController;
  },
};

class ShardedSpec {
  @Field.boolean({ optional: true }) sharding?: boolean;
}
class MongosStatus {
  @Field.int32() size!: number;
}
class ShardedStatus {
  @Field.boolean({ optional: true }) hasConfigServers?: boolean;
  @Field.object(MongosStatus, { optional: true }) mongos?: MongosStatus;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Sharded extends CustomResource(ShardedSpec, ShardedStatus) {}

/** When sharding is switched on again, the operator reads a status that it removed when sharding was switched off. */
const shardingAgain: Bug = {
  name: 'Sieve/percona-server-mongodb K8SPSMDB-434',
  source: 'https://jira.percona.com/browse/K8SPSMDB-434',
  mechanism: 'exception',
  kind: Sharded,
  violates: ['exception', 'history'],
  controller: (isFixed) => {
    @Controller({ for: Sharded, owns: [ConfigMap] })
    class ShardedController implements Reconciler<Sharded> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: Sharded): Promise<Result> {
        const {
          metadata: { name },
          spec: { sharding = false },
          status,
        } = mongo;
        if (!sharding) {
          await this.client.applyOwned(mongo, []);
          await this.client.patchStatus(mongo, (draft) => {
            delete draft.mongos;
            if (isFixed) delete draft.hasConfigServers;
          });
          return Result.done();
        }
        const size = status?.hasConfigServers === true ? (status.mongos as MongosStatus).size : 3;
        await this.client.applyOwned(mongo, [configMap(`${name}-mongos`, { size: String(size) })]);
        await this.client.patchStatus(mongo, { hasConfigServers: true, mongos: { size } });
        return Result.done();
      }
    }
    return ShardedController;
  },
};

export const exceptionBugs: readonly Bug[] = [
  missingSelector,
  missingBucket,
  missingTemplate,
  unknownProbe,
  shardingAgain,
];
