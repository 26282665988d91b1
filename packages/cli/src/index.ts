export type { ProjectFiles } from 'create-operator';
