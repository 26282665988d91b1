// TS2322: Type 'string' is not assignable to type 'number'.
import { CustomResource, Field, Kind } from '@kubewright/api';
class Spec { @Field.string() image!: string; }
class Status { @Field.int64({ optional: true }) observedGeneration?: number; }
@Kind({ group: 'example.com', version: 'v1' })
export class Machine extends CustomResource(Spec, Status, { statusDefault: { observedGeneration: '-1' } }) {}
