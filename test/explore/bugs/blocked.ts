import { type Condition, CustomResource, Field, isReady, keyOf, Kind } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { Pod } from '@kubewright/api/core/v1';
import {
  Client,
  Controller,
  Inject,
  type Manager,
  type Reconciler,
  Result,
  TerminalError,
  token,
} from '@kubewright/runtime';
import type { ExternalSystem } from '@kubewright/testing';
import type { Bug } from './bug.js';
import { statefulSet } from './children.js';

/** The agents of MongoDB, which report whether the members run with the given version. */
class MongoAgents implements ExternalSystem {
  readonly #goals = new Map<string, string>();

  setGoal(cluster: string, version: string): void {
    this.#goals.set(cluster, version);
  }
  delete(cluster: string): void {
    this.#goals.delete(cluster);
  }
  areReady(cluster: string): boolean {
    const goal = this.#goals.get(cluster);
    return goal === undefined || /^\d+\.\d+$/.test(goal);
  }
  provide(manager: Manager): void {
    manager.provide(Agents, { value: this });
  }
  state(): unknown {
    return Object.fromEntries(this.#goals);
  }
}
const Agents = token<MongoAgents>('MongoAgents');

class MongoVersionSpec {
  @Field.string({ optional: true }) featureCompatibilityVersion?: string;
}
class MongoVersionStatus {
  @Field.boolean({ optional: true }) ready?: boolean;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoVersion extends CustomResource(MongoVersionSpec, MongoVersionStatus) {}

/** The operator waits for the members before it passes the next version to them. */
const unknownVersion: Bug = {
  name: 'Acto/mongodb-community-1072',
  source: 'https://github.com/mongodb/mongodb-kubernetes-operator/issues/1072',
  mechanism: 'blocked by an error',
  kind: MongoVersion,
  external: () => [new MongoAgents()],
  violates: ['history', 'rollback'],
  controller: (isFixed) => {
    @Controller({ for: MongoVersion })
    class MongoVersionController implements Reconciler<MongoVersion> {
      constructor(
        private readonly client: Client,
        @Inject(Agents) private readonly agents: MongoAgents,
      ) {}

      async reconcile(mongo: MongoVersion): Promise<Result> {
        const { name } = mongo.metadata;
        const { featureCompatibilityVersion: version = '6.0' } = mongo.spec;
        if (isFixed || this.agents.areReady(name)) this.agents.setGoal(name, version);
        const ready = this.agents.areReady(name);
        await this.client.patchStatus(mongo, { ready });
        return ready ? Result.done() : Result.requeueAfter('10s');
      }
      finalize(mongo: MongoVersion): Promise<Result> {
        this.agents.delete(mongo.metadata.name);
        return Promise.resolve(Result.done());
      }
    }
    return MongoVersionController;
  },
};

class MongoTemplateSpec {
  @Field.int32({ optional: true }) port?: number;
}
class MongoTemplateStatus {
  @Field.int32({ optional: true }) updatingPort?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoTemplate extends CustomResource(MongoTemplateSpec, MongoTemplateStatus) {}

/** The API server refuses the template. The operator then waits until the StatefulSet has this template. */
const refusedTemplate: Bug = {
  name: 'Acto/mongodb-community-1245',
  source: 'https://github.com/mongodb/mongodb-kubernetes-operator/issues/1245',
  mechanism: 'blocked by an error',
  kind: MongoTemplate,
  violates: ['rollback', 'history', 'crash'],
  controller: (isFixed) => {
    @Controller({ for: MongoTemplate, owns: [StatefulSet] })
    class MongoTemplateController implements Reconciler<MongoTemplate> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: MongoTemplate): Promise<Result> {
        const { port = 27017 } = mongo.spec;
        const current = await this.client.find(StatefulSet, keyOf(mongo));
        const running = current?.spec.template.spec?.containers[0]?.ports?.[0]?.containerPort;
        const updating = mongo.status?.updatingPort;
        const isUpdating = current !== undefined && updating !== undefined && running !== updating;
        if (!isFixed && isUpdating) return Result.requeueAfter('10s');
        await this.client.patchStatus(mongo, { updatingPort: port });
        const container = { ports: [{ containerPort: port }] };
        await this.client.applyOwned(mongo, [statefulSet(mongo.metadata.name, { container })]);
        return Result.done();
      }
    }
    return MongoTemplateController;
  },
};

class MongoMembersSpec {
  @Field.int32({ minimum: 1, maximum: 3 }) members = 1;
  @Field.int32({ optional: true, minimum: 1, maximum: 3 }) statefulSetReplicas?: number;
}
class MongoMembersStatus {
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoMembers extends CustomResource(MongoMembersSpec, MongoMembersStatus) {}

/** The annotation with the requested number of members. */
const MEMBERS = 'bugs.kubewright.dev/members';

/** Two fields contradict each other. The operator waits for a number of Pods that it never requests. */
const contradiction: Bug = {
  name: 'Acto/mongodb-community-1252',
  source: 'https://github.com/mongodb/mongodb-kubernetes-operator/issues/1252',
  mechanism: 'blocked by an error',
  kind: MongoMembers,
  violates: ['history', 'rollback'],
  controller: (isFixed) => {
    @Controller({ for: MongoMembers, owns: [StatefulSet] })
    class MongoMembersController implements Reconciler<MongoMembers> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: MongoMembers): Promise<Result> {
        const { members, statefulSetReplicas: replicas = members } = mongo.spec;
        if (isFixed && replicas !== members)
          throw new TerminalError(`${replicas} replicas contradict ${members} members`, { reason: 'Contradiction' });
        const current = await this.client.find(StatefulSet, keyOf(mongo));
        const awaited = current?.metadata.annotations?.[MEMBERS];
        const isWaiting = awaited !== undefined && String(current?.status?.readyReplicas ?? 0) !== awaited;
        if (!isFixed && isWaiting) return Result.done();
        const annotations = { [MEMBERS]: String(members) };
        await this.client.applyOwned(mongo, [statefulSet(mongo.metadata.name, { replicas, annotations })]);
        return Result.done();
      }
    }
    return MongoMembersController;
  },
};

class MongoMemorySpec {
  @Field.quantity({ optional: true }) cacheSize?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class MongoMemory extends CustomResource(MongoMemorySpec) {}

/** With an option that prevents the Pods from starting, the operator never rolls out the corrected option. */
const smartUpdate: Bug = {
  name: 'Acto/percona-mongodb-897',
  source: 'https://jira.percona.com/browse/K8SPSMDB-897',
  mechanism: 'blocked by an error',
  kind: MongoMemory,
  violates: ['history', 'rollback'],
  trials: 36,
  controller: (isFixed) => {
    @Controller({ for: MongoMemory, owns: [StatefulSet] })
    class MongoMemoryController implements Reconciler<MongoMemory> {
      constructor(private readonly client: Client) {}

      async reconcile(mongo: MongoMemory): Promise<Result> {
        const { cacheSize: memory = '256Mi' } = mongo.spec;
        const current = await this.client.find(StatefulSet, keyOf(mongo));
        const isUpdating = current !== undefined && !isReady(current);
        if (!isFixed && isUpdating) return Result.done();
        const container = { resources: { requests: { memory } } };
        await this.client.applyOwned(mongo, [statefulSet(mongo.metadata.name, { container })]);
        return Result.done();
      }
    }
    return MongoMemoryController;
  },
};

class ZookeeperPodsSpec {
  @Field.map(Field.string({ maxLength: 63 }), { optional: true }) nodeSelector?: Record<string, string>;
}
class ZookeeperPodsStatus {
  @Field.int32({ optional: true }) readyReplicas?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class ZookeeperPods extends CustomResource(ZookeeperPodsSpec, ZookeeperPodsStatus) {}

/** A Pod that no node can run blocks the StatefulSet. The operator does not replace the Pod after the correction. */
const brokenPod: Bug = {
  name: 'Acto/zookeeper-547',
  source: 'https://github.com/pravega/zookeeper-operator/issues/547',
  mechanism: 'blocked by an error',
  kind: ZookeeperPods,
  violates: ['history', 'rollback'],
  controller: (isFixed) => {
    @Controller({ for: ZookeeperPods, owns: [StatefulSet], reads: [Pod], rbac: [{ kind: Pod, verbs: ['delete'] }] })
    class ZookeeperPodsController implements Reconciler<ZookeeperPods> {
      constructor(private readonly client: Client) {}

      async reconcile(zookeeper: ZookeeperPods): Promise<Result> {
        const { name, namespace = 'default' } = zookeeper.metadata;
        const { nodeSelector = {} } = zookeeper.spec;
        const [set] = await this.client.applyOwned(zookeeper, [statefulSet(name, { pod: { nodeSelector } })]);
        if (isFixed && !isReady(set)) await this.replaceBrokenPods(namespace, name, set.status?.updateRevision);
        await this.client.patchStatus(zookeeper, { readyReplicas: set.status?.readyReplicas ?? 0 });
        return isReady(set) ? Result.done() : Result.requeueAfter('30s');
      }

      private async replaceBrokenPods(namespace: string, app: string, revision: string | undefined): Promise<void> {
        const pods = await this.client.list(Pod, { namespace, labels: { app } });
        for (const pod of pods) {
          const isOld = pod.metadata.labels?.['controller-revision-hash'] !== revision;
          if (isOld && !isReady(pod)) await this.client.delete(pod);
        }
      }
    }
    return ZookeeperPodsController;
  },
};

export const blockedBugs: readonly Bug[] = [unknownVersion, refusedTemplate, contradiction, smartUpdate, brokenPod];
