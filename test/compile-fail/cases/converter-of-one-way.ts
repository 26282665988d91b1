// TS1238: Unable to resolve signature of class decorator when called as an expression.
//   Argument of type 'typeof MachineConverter' is not assignable to parameter of type 'new (...services: never[]) => Converter<OldMachine, Machine>'.
//     Property 'down' is missing in type 'MachineConverter' but required in type 'Converter<OldMachine, Machine>'.
import { type ConvertedContent, Converter, CustomResource, Field, Kind } from '@kubewright/api';
class OldSpec { @Field.string() image!: string; }
@Kind({ group: 'example.com', version: 'v1alpha1', kind: 'Machine' })
class OldMachine extends CustomResource(OldSpec) {}
class Spec { @Field.string() source!: string; }
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(Spec) {}
@Converter({ from: OldMachine, hub: Machine })
export class MachineConverter {
  up({ spec }: OldMachine): ConvertedContent<Machine> {
    return { spec: { source: spec.image } };
  }
}
