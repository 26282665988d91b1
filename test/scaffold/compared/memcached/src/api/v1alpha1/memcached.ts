import { type Condition, CustomResource, Field, Kind } from '@kubewright/api';

export class MemcachedSpec {
  /** Desired number of instances. */
  @Field.int32({ minimum: 1, maximum: 3, optional: true }) size?: number;
}

export class MemcachedStatus {
  /** The generation of the spec that this status describes. */
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: 'cache.example.com', version: 'v1alpha1' })
export class Memcached extends CustomResource(MemcachedSpec, MemcachedStatus) {}
