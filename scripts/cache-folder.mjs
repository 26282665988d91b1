// The folder outside the repository that contains built programs and the results of earlier test runs.
import { homedir } from 'node:os';
import { join } from 'node:path';

export const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kubewright');
