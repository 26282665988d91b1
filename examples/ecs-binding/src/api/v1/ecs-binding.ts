import { CustomResource, Field, Kind, PrintColumn } from '@kubewright/api';

export class EcsBindingSpec {
  /** ID of the machine in the cloud. */
  @Field.string({ optional: true }) id?: string;
  @Field.string({ optional: true }) name?: string;
  /** Name of the node in the cluster. */
  @Field.string({ optional: true }) nodename?: string;
  /** IP address of the machine inside the cloud. */
  @Field.string({ optional: true, format: 'ipv4' }) innerip?: string;
}

@Kind({ group: 'hopegi.com', version: 'v1', scope: 'Cluster', plural: 'ecsbinding', shortNames: ['ecsb'] })
@PrintColumn({ name: 'Age', jsonPath: '.metadata.creationTimestamp' })
@PrintColumn({ name: 'NodeName', jsonPath: '.spec.nodename' })
@PrintColumn({ name: 'InnerIp', jsonPath: '.spec.innerip' })
export class EcsBinding extends CustomResource(EcsBindingSpec) {}
