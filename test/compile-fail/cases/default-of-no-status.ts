// TS2322: Type '{ phase: string; }' is not assignable to type 'undefined'.
import { CustomResource, Field, Kind } from '@kubewright/api';
class Spec { @Field.string() image!: string; }
@Kind({ group: 'example.com', version: 'v1' })
export class Machine extends CustomResource(Spec, undefined, { statusDefault: { phase: 'Pending' } }) {}
