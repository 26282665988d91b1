// TS2345: Argument of type '() => Promise<void>' is not assignable to parameter of type 'FinalizerHandler<Machine>'.
//   Type 'Promise<void>' is not assignable to type 'Promise<Result>'.
//     Type 'void' is not assignable to type 'Result'.
import { CustomResource, Field, Kind } from '@kubewright/api';
import { Finalizers } from '@kubewright/runtime';
class Spec { @Field.string() image!: string; }
@Kind({ group: 'example.com', version: 'v1' })
class Machine extends CustomResource(Spec) {}
export const finalizers = new Finalizers<Machine>().add('example.com/disks', async () => {});
