// TS2322: Type '{ size: number; }' is not assignable to type '{ readonly name: string; } & { readonly size?: number | undefined; }'.
//   Property 'name' is missing in type '{ size: number; }' but required in type '{ readonly name: string; }'.
import { type Default, Field } from '@kubewright/api';
class Disk {
  @Field.string() name!: string;
  @Field.int32() size: Default<number> = 1;
}
export class Spec {
  @Field.object(Disk, { example: { size: 2 } }) disk!: Disk;
}
