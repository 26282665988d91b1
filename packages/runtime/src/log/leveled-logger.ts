import type { Logger } from './logger.js';

/** A logger whose level can be changed at run time. Loggers that `with` returns have the same level. */
export interface LeveledLogger extends Logger {
  /** The name of the minimum level. */
  level: string;
}

/** Whether the level of a logger can be changed. */
export function isLeveled(logger: Logger): logger is LeveledLogger {
  return 'level' in logger && typeof logger.level === 'string';
}
