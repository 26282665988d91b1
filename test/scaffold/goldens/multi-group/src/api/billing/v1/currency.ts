import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';

export class CurrencySpec {
  /** Container image to run. */
  @Field.string({ minLength: 1 }) image: Default<string> = 'nginx:1.29-alpine';
  /** Desired number of Pods. */
  @Field.int32({ minimum: 0, maximum: 10 }) replicas: Default<number> = 1;
  /** Namespace of the Deployment. */
  @Field.string({ minLength: 1 }) namespace: Default<string> = 'default';
}

export class CurrencyStatus {
  /** Number of ready Pods. */
  @Field.int32({ optional: true }) readyReplicas?: number;
  /** Generation of the spec that the controller last reconciled. */
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: 'billing.example.com', version: 'v1', scope: 'Cluster' })
@PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
@PrintColumn({ name: 'Desired', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', jsonPath: '.status.readyReplicas' })
export class Currency extends CustomResource(CurrencySpec, CurrencyStatus) {}
