import { CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap, Service } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import type { Bug } from './bug.js';

const SELECTOR = { app: 'bugs' };

class LabelsSpec {
  @Field.map(Field.string(), { optional: true }) labels?: Record<string, string>;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Labeled extends CustomResource(LabelsSpec) {}

/** The labels of the declaration are merged with the current labels, so that removed labels stay. */
const mergedLabels: Bug = {
  name: 'Acto/cass-operator-330',
  source: 'https://github.com/k8ssandra/cass-operator/issues/330',
  mechanism: 'value that stays',
  kind: Labeled,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: Labeled, owns: [Service] })
    class LabeledController implements Reconciler<Labeled> {
      constructor(private readonly client: Client) {}

      async reconcile(labeled: Labeled): Promise<Result> {
        const { name, namespace = 'default' } = labeled.metadata;
        const current = isFixed ? undefined : await this.client.find(Service, { name, namespace });
        const { 'kubewright.dev/controller': _own, ...before } = current?.metadata.labels ?? {};
        const labels = { ...before, ...labeled.spec.labels };
        await this.client.applyOwned(labeled, [
          new Service({ metadata: { name, labels }, spec: { selector: SELECTOR, ports: [{ port: 80 }] } }),
        ]);
        return Result.done();
      }
    }
    return LabeledController;
  },
};

class ExporterSpec {
  @Field.boolean({ optional: true }) exporter?: boolean;
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Redis extends CustomResource(ExporterSpec) {}

/** The objects of a feature stay when the feature is switched off. */
const featureOff: Bug = {
  name: 'Acto/knative-operator-1157',
  source: 'https://github.com/knative/operator/issues/1157',
  mechanism: 'feature that stays',
  kind: Redis,
  violates: ['history', 'rollback'],
  controller: (isFixed) => {
    @Controller({ for: Redis, owns: [ConfigMap, Service] })
    class RedisController implements Reconciler<Redis> {
      constructor(private readonly client: Client) {}

      async reconcile(redis: Redis): Promise<Result> {
        const { name } = redis.metadata;
        const main = new ConfigMap({ metadata: { name }, data: { size: String(redis.spec.size) } });
        const service = new Service({
          metadata: { name: `${name}-exporter` },
          spec: { selector: SELECTOR, ports: [{ port: 9121 }] },
        });
        const features = redis.spec.exporter === true ? [service] : [];
        if (isFixed) {
          await this.client.applyOwned(redis, [main, ...features]);
        } else {
          await this.client.applyOwned(redis, [main], { set: 'main' });
          if (features.length > 0) await this.client.applyOwned(redis, features, { set: 'features' });
        }
        return Result.done();
      }
    }
    return RedisController;
  },
};

class StorageSpec {
  @Field.string({ optional: true }) storage?: string;
  @Field.int32({ minimum: 1, maximum: 5 }) replicas = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Ensemble extends CustomResource(StorageSpec) {}

/** A field is used only when the object is created. */
const onlyAtCreation: Bug = {
  name: 'Acto/zookeeper-540',
  source: 'https://github.com/pravega/zookeeper-operator/issues/540',
  mechanism: 'field without effect',
  kind: Ensemble,
  violates: ['history'],
  controller: (isFixed) => {
    @Controller({ for: Ensemble, owns: [ConfigMap] })
    class EnsembleController implements Reconciler<Ensemble> {
      constructor(private readonly client: Client) {}

      async reconcile(ensemble: Ensemble): Promise<Result> {
        const { name, namespace = 'default' } = ensemble.metadata;
        const current = await this.client.find(ConfigMap, { name, namespace });
        const storage = isFixed ? undefined : current?.data?.['storage'];
        const data = {
          storage: storage ?? ensemble.spec.storage ?? '1Gi',
          replicas: String(ensemble.spec.replicas),
        };
        await this.client.applyOwned(ensemble, [new ConfigMap({ metadata: { name }, data })]);
        return Result.done();
      }
    }
    return EnsembleController;
  },
};

class ResourcesSpec {
  @Field.string({ optional: true }) resources?: string;
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Sized extends CustomResource(ResourcesSpec) {}

/** A field is never read. */
const neverRead: Bug = {
  name: 'Acto/ot-redis-290',
  source: 'https://github.com/OT-CONTAINER-KIT/redis-operator/issues/290',
  mechanism: 'field without effect',
  kind: Sized,
  violates: ['effect'],
  trials: 60,
  controller: (isFixed) => {
    @Controller({ for: Sized, owns: [ConfigMap] })
    class SizedController implements Reconciler<Sized> {
      constructor(private readonly client: Client) {}

      async reconcile(sized: Sized): Promise<Result> {
        const { name } = sized.metadata;
        const resources = isFixed && sized.spec.resources !== undefined ? { resources: sized.spec.resources } : {};
        const data = { size: String(sized.spec.size), ...resources };
        await this.client.applyOwned(sized, [new ConfigMap({ metadata: { name }, data })]);
        return Result.done();
      }
    }
    return SizedController;
  },
};

class ProbeSpec {
  @Field.string({ optional: true }) path?: string;
  @Field.int32({ optional: true, minimum: 1, maximum: 65535 }) port?: number;
}
class ProbedSpec {
  @Field.object(ProbeSpec, { optional: true }) probe?: ProbeSpec;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Probed extends CustomResource(ProbedSpec) {}

/** An optional field of an optional object is used without a check. */
const missingField: Bug = {
  name: 'Acto/knative-operator-1137',
  source: 'https://github.com/knative/operator/issues/1137',
  mechanism: 'exception',
  kind: Probed,
  violates: ['exception'],
  controller: (isFixed) => {
    @Controller({ for: Probed, owns: [ConfigMap] })
    class ProbedController implements Reconciler<Probed> {
      constructor(private readonly client: Client) {}

      async reconcile(probed: Probed): Promise<Result> {
        const { name } = probed.metadata;
        const { probe } = probed.spec;
        const path = isFixed ? (probe?.path ?? '/').toLowerCase() : probe === undefined ? '/' : lowerCase(probe.path);
        const data = { path, port: String(probe?.port ?? 80) };
        await this.client.applyOwned(probed, [new ConfigMap({ metadata: { name }, data })]);
        return Result.done();
      }
    }
    return ProbedController;
  },
};

function lowerCase(text: string | undefined): string {
  return (text as string).toLowerCase();
}

export const fieldBugs: readonly Bug[] = [mergedLabels, featureOff, onlyAtCreation, neverRead, missingField];
