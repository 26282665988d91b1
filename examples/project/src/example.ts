import { Project } from './api/v1alpha1/project.js';

/** Kinds that are installed before the programs run. */
export const kinds = [Project] as const;
/** The programs of the example. The first program writes Projects, and the second program watches them. */
export const programs = ['client', 'store'];
