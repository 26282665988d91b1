// TS2551: Property 'images' does not exist on type '{ image: string; }'. Did you mean 'image'?
import { CustomResource, Defaulter, type Draft, Field, Kind } from '@kubewright/api';
class Spec { @Field.string() image!: string; }
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(Spec) {}
@Defaulter({ for: Machine })
export class MachineDefaulter implements Defaulter<Machine> {
  default(draft: Draft<Machine>): void {
    draft.spec.images ??= 'debian';
  }
}
