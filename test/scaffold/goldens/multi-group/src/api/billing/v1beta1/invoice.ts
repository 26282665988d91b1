import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';

export class InvoiceSpec {
  /** Container image to run. */
  @Field.string({ minLength: 1 }) image: Default<string> = 'nginx:1.29-alpine';
  /** Desired number of Pods. */
  @Field.int32({ minimum: 0, maximum: 10 }) replicas: Default<number> = 1;
}

export class InvoiceStatus {
  /** Number of ready Pods. */
  @Field.int32({ optional: true }) readyReplicas?: number;
  /** Generation of the spec that the controller last reconciled. */
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: 'billing.example.com', version: 'v1beta1' })
@PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
@PrintColumn({ name: 'Desired', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', jsonPath: '.status.readyReplicas' })
export class Invoice extends CustomResource(InvoiceSpec, InvoiceStatus) {}
