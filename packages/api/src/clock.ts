export { Clock, type Timer, type TimerOptions } from './time/clock.js';
export { type Duration, durationMs } from './time/duration.js';
export { type Random, systemRandom } from './time/random.js';
export { microTime } from './time/micro-time.js';
export { countSteps, workTimeMs } from './time/work-time.js';
export { SystemClock, type SystemClockOptions } from './time/system-clock.js';
