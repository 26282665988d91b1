import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';

export class VirtualMachineSpec {
  /** Set by the cloud. */
  @Field.string({ optional: true, format: 'uuid' }) uuid?: string;
  /** Name in the cloud. */
  @Field.string({ minLength: 1 }) name!: string;
  /** Image to boot from. */
  @Field.string({ minLength: 1 }) image!: string;
  /** Memory in MiB. */
  @Field.int32({ minimum: 128 }) memory: Default<number> = 1024;
  /** Disk in GiB. */
  @Field.int32({ minimum: 1 }) disk: Default<number> = 20;
}

export class VirtualMachineStatus {
  @Field.enum(['Creating', 'Complete', 'Failed'], { optional: true }) phase?: 'Creating' | 'Complete' | 'Failed';
  /** Address of the machine, once it has one. */
  @Field.string({ optional: true }) address?: string;
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: 'cloud.waibizi.com', version: 'v1', shortNames: ['vm'] })
@PrintColumn({ name: 'Phase', jsonPath: '.status.phase' })
@PrintColumn({ name: 'Memory', jsonPath: '.spec.memory' })
@PrintColumn({ name: 'Address', jsonPath: '.status.address', priority: 1 })
export class VirtualMachine extends CustomResource(VirtualMachineSpec, VirtualMachineStatus) {}
