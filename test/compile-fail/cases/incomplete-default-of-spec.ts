// TS2322: Type '{}' is not assignable to type '{ readonly image: string; } & { readonly memory?: number | undefined; }'.
//   Property 'image' is missing in type '{}' but required in type '{ readonly image: string; }'.
import { CustomResource, type Default, Field, Kind } from '@kubewright/api';
class Spec { @Field.string() image!: string; @Field.int32() memory: Default<number> = 1024; }
@Kind({ group: 'example.com', version: 'v1' })
export class Machine extends CustomResource(Spec, undefined, { specDefault: {} }) {}
