// TS2741: Property 'selector' is missing in type '{ template: { spec: { containers: { name: string; }[]; }; }; }' but required in type 'DeploymentSpec'.
import { Deployment } from '@kubewright/api/apps/v1';
export const web = new Deployment({ metadata: { name: 'web' }, spec: { template: { spec: { containers: [{ name: 'web' }] } } } });
