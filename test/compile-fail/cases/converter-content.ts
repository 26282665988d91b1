// TS2353: Object literal may only specify known properties, and 'image' does not exist in type '{ readonly source: string; } & {}'.
import { type ConvertedContent, Converter, CustomResource, Field, Kind } from '@kubewright/api';
class OldSpec { @Field.string() image!: string; }
@Kind({ group: 'example.com', version: 'v1alpha1', kind: 'Machine' })
class OldMachine extends CustomResource(OldSpec) {}
class Spec { @Field.string() source!: string; }
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(Spec) {}
@Converter({ from: OldMachine, hub: Machine })
export class MachineConverter implements Converter<OldMachine, Machine> {
  up({ spec }: OldMachine): ConvertedContent<Machine> {
    return { spec: { image: spec.image } };
  }
  down({ spec }: Machine): ConvertedContent<OldMachine> {
    return { spec: { image: spec.source } };
  }
}
