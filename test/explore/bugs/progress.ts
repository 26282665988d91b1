import { type Condition, CustomResource, Field, Kind } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result, TerminalError } from '@kubewright/runtime';
import type { Bug } from './bug.js';

class ClusterSpec {
  @Field.int32({ minimum: 0, maximum: 5 }) size = 2;
}
class ClusterStatus {
  @Field.int32({ optional: true }) size?: number;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Ring extends CustomResource(ClusterSpec, ClusterStatus) {}

/** A step from two to zero is not handled, because the operator expects to see each size in between. */
const skippedSize: Bug = {
  name: 'Sieve/casskop-342',
  source: 'https://github.com/Orange-OpenSource/casskop/issues/342',
  mechanism: 'state that must be observed',
  kind: Ring,
  samples: [new Ring({ metadata: { name: 'ring' }, spec: { size: 2 } })],
  violates: ['history', 'quick', 'away'],
  controller: (isFixed) => {
    @Controller({ for: Ring, owns: [ConfigMap] })
    class RingController implements Reconciler<Ring> {
      constructor(private readonly client: Client) {}

      async reconcile(ring: Ring): Promise<Result> {
        const { size } = ring.spec;
        const before = ring.status?.size ?? 0;
        const names = (count: number): readonly ConfigMap[] =>
          Array.from(
            { length: count },
            (_, at) => new ConfigMap({ metadata: { name: `${ring.metadata.name}-${at}` } }),
          );
        const isOneLess = before - size === 1;
        if (isFixed || isOneLess || size >= before) await this.client.applyOwned(ring, [...names(size)]);
        await this.client.patchStatus(ring, { size });
        return Result.done();
      }
    }
    return RingController;
  },
};

class VersionSpec {
  @Field.string({ minLength: 1 }) version = '1.0.0';
}
class VersionStatus {
  @Field.string({ optional: true }) updating?: string;
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Versioned extends CustomResource(VersionSpec, VersionStatus) {}

/** An update that cannot complete blocks all later changes. */
const blockedUpdate: Bug = {
  name: 'Acto/cass-operator-315',
  source: 'https://github.com/k8ssandra/cass-operator/issues/315',
  mechanism: 'blocked by an error',
  kind: Versioned,
  violates: ['rollback', 'history'],
  controller: (isFixed) => {
    @Controller({ for: Versioned, owns: [ConfigMap] })
    class VersionedController implements Reconciler<Versioned> {
      constructor(private readonly client: Client) {}

      async reconcile(versioned: Versioned): Promise<Result> {
        const { name, namespace = 'default' } = versioned.metadata;
        const { version } = versioned.spec;
        const updating = isFixed ? undefined : versioned.status?.updating;
        const target = updating ?? version;
        if (!/^\d/.test(target)) {
          if (isFixed) throw new TerminalError(`${target} is not a version`, { reason: 'InvalidVersion' });
          await this.client.patchStatus(versioned, { updating: target });
          return Result.requeueAfter('1m');
        }
        await this.client.applyOwned(versioned, [
          new ConfigMap({ metadata: { name, namespace }, data: { version: target } }),
        ]);
        await this.client.patchStatus(versioned, (status) => {
          delete status.updating;
        });
        return Result.done();
      }
    }
    return VersionedController;
  },
};

class BeatSpec {
  @Field.int32({ minimum: 1, maximum: 5 }) size = 1;
}
class BeatStatus {
  @Field.string({ optional: true }) lastSeen?: string;
}
@Kind({ group: 'bugs.kubewright.dev', version: 'v1' })
class Beat extends CustomResource(BeatSpec, BeatStatus) {}

/** Each periodic reconcile writes the current time, although nothing changed. */
const needlessTime: Bug = {
  name: 'needless status write',
  mechanism: 'needless write',
  kind: Beat,
  violates: ['quiet', 'restart', 'converges'],
  controller: (isFixed) => {
    @Controller({ for: Beat, owns: [ConfigMap] })
    class BeatController implements Reconciler<Beat> {
      constructor(private readonly client: Client) {}

      async reconcile(beat: Beat): Promise<Result> {
        const { name } = beat.metadata;
        const data = { size: String(beat.spec.size) };
        await this.client.applyOwned(beat, [new ConfigMap({ metadata: { name }, data })]);
        if (!isFixed) await this.client.patchStatus(beat, { lastSeen: new Date().toISOString() });
        return Result.requeueAfter('5m');
      }
    }
    return BeatController;
  },
};

export const progressBugs: readonly Bug[] = [skippedSize, blockedUpdate, needlessTime];
