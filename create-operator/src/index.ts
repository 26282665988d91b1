export type { ProjectFiles } from './files/project-files.js';
