import { Project } from './api/v1alpha1/project.js';

/** Installed before the programs run. */
export const kinds = [Project] as const;
/** One writes, the other one looks on. */
export const programs = ['client', 'store'];
