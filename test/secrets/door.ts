import { type Condition, CustomResource, Field, Kind, PrintColumn } from '@kubewright/api';

class DoorKey {
  @Field.string({ optional: true }) name?: string;
  @Field.string({ optional: true }) code?: string;
}
class DoorCredentials {
  @Field.string({ optional: true }) code?: string;
  @Field.list(Field.object(DoorKey), { optional: true }) keys?: DoorKey[];
}
class DoorSpec {
  @Field.string({ optional: true, format: 'password' }) pin?: string;
  @Field.list(Field.string({ format: 'password' }), { optional: true }) codes?: string[];
  @Field.string({ optional: true }) rootPass?: string;
  @Field.string({ optional: true }) connectionString?: string;
  @Field.object(DoorCredentials, { optional: true }) credentials?: DoorCredentials;
  @Field.list(Field.object(DoorKey), { optional: true }) tokens?: DoorKey[];
}
class DoorStatus {
  @Field.conditions() conditions?: Condition[];
}

/** A kind with secret fields. The printed columns include one of these fields. */
@Kind({ group: 'canary.example.com', version: 'v1' })
@PrintColumn({ name: 'Pin', jsonPath: '.spec.pin' })
export class Door extends CustomResource(DoorSpec, DoorStatus) {}
