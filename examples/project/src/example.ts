import { Project } from './api/v1alpha1/project.js';

/** Kinds that are installed before the programs run. */
export const kinds = [Project] as const;
/** The first program writes, the second program watches. */
export const programs = ['client', 'store'];
