import type { Logger } from './logger.js';

/** A logger whose level can change at run time. Loggers that `with` returned use the same level. */
export interface LeveledLogger extends Logger {
  /** The name of the level. */
  level: string;
}

/** Whether the level of a logger can change. */
export function isLeveled(logger: Logger): logger is LeveledLogger {
  return 'level' in logger && typeof logger.level === 'string';
}
