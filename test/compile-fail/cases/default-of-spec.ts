// TS2561: Object literal may only specify known properties, but 'memmory' does not exist in type '{} & { readonly memory?: number | undefined; }'. Did you mean to write 'memory'?
import { CustomResource, type Default, Field, Kind } from '@kubewright/api';
class Spec { @Field.int32({ minimum: 128 }) memory: Default<number> = 1024; }
@Kind({ group: 'example.com', version: 'v1' })
export class Machine extends CustomResource(Spec, undefined, { specDefault: { memmory: 512 } }) {}
