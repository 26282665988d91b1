// TS2322: Type '{ namespace: string; }' is not assignable to type 'MetaInit'.
//   Type '{ namespace: string; }' is not assignable to type '{ readonly name: string; readonly generateName?: string | undefined; } & { readonly annotations?: Readonly<Record<string, string>> | undefined; readonly creationTimestamp?: string | undefined; ... 7 more ...; readonly uid?: string | undefined; }'.
//     Property 'name' is missing in type '{ namespace: string; }' but required in type '{ readonly name: string; readonly generateName?: string | undefined; }'.
import { ConfigMap } from '@kubewright/api/core/v1';
export const map = new ConfigMap({ metadata: { namespace: 'default' }, data: {} });
