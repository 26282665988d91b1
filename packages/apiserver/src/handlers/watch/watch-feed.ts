import type { ApiError } from '@kubewright/api/errors';
import type { Clock, Timer } from '@kubewright/api/clock';
import type { AnswerStream } from '../answers/answer.js';
import type { EventEncoder } from './event-encoder.js';
import type { WatchFault } from '../faults/fault-plan.js';

/** The types of watch events. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/**
 * Writes the events of one watch in order, and applies the planned faults. A delayed event also delays the
 * events after it.
 */
export class WatchFeed {
  readonly #stream: AnswerStream;
  readonly #clock: Clock;
  readonly #fault: (version?: string) => WatchFault | undefined;
  readonly #expired: () => ApiError;
  readonly #encoder: EventEncoder;
  readonly #onDelay: () => () => void;
  readonly #onSent: (bytes: number) => void;
  readonly #held: (() => void)[] = [];
  #delay: Timer | undefined;
  #endDelay: () => void = () => undefined;
  #over = false;

  constructor(
    stream: AnswerStream,
    options: {
      readonly clock: Clock;
      readonly encoder: EventEncoder;
      /**
       * Returns the planned fault of the next event, or undefined for no fault. `version` is the resourceVersion of the change that the
       * event reports. Called before each event that the fault plan counts.
       */
      readonly fault: (version?: string) => WatchFault | undefined;
      /** Returns the error of an expired watch. */
      readonly expired: () => ApiError;
      /** Called at the start of a delay. Returns a function that is called at the end of the delay. */
      readonly onDelay: () => () => void;
      /** Called with the size of each event that is sent. @default not called */
      readonly onSent?: (bytes: number) => void;
    },
  ) {
    this.#stream = stream;
    this.#clock = options.clock;
    this.#fault = options.fault;
    this.#expired = options.expired;
    this.#encoder = options.encoder;
    this.#onDelay = options.onDelay;
    this.#onSent = options.onSent ?? (() => undefined);
    stream.onClose(() => this.#finish());
  }

  /**
   * Sends an event after the earlier events. Calls `render` immediately before sending the event. If `planned` is false, the fault plan
   * does not count the event. Periodic bookmarks are not planned, because their number depends on time. `version` is the resourceVersion of
   * the change that the event reports.
   */
  send(
    type: WatchEventType,
    render: () => object,
    { planned, version }: { readonly planned: boolean; readonly version?: string | undefined } = { planned: true },
  ): void {
    this.#inTurn(() => this.#sendNow(type, render, planned ? this.#fault(version) : undefined));
  }

  /** Ends the watch after the remaining events. */
  end(): void {
    this.#inTurn(() => {
      this.#finish();
      this.#stream.end();
    });
  }

  #inTurn(step: () => void): void {
    if (this.#over) return;
    if (this.#delay === undefined) step();
    else this.#held.push(step);
  }

  #sendNow(type: WatchEventType, render: () => object, fault: WatchFault | undefined): void {
    switch (fault?.kind) {
      case undefined:
        return this.#write(type, render());
      case 'repeat': {
        const object = render();
        this.#write(type, object);
        return this.#write(type, object);
      }
      case 'delay':
        return this.#pause(fault.ms, () => this.#write(type, render()));
      case 'expire':
        if (fault.afterMs === undefined) return this.#expire();
        return this.#pause(fault.afterMs, () => this.#expire());
      case 'cut': {
        const line = this.#encoder.line(type, render());
        this.#finish();
        if (fault.midEvent) this.#stream.write(line.slice(0, Math.ceil(line.length / 2)));
        return this.#stream.cut();
      }
    }
  }

  /** Sends nothing for the given time. Then executes the step, and after it the held steps. */
  #pause(ms: number, step: () => void): void {
    this.#delay = this.#clock.schedule(ms, () => this.#resume());
    this.#held.unshift(step);
    this.#endDelay = this.#onDelay();
  }

  #expire(): void {
    this.#write('ERROR', this.#expired().body);
    this.#finish();
    this.#stream.end();
  }

  #resume(): void {
    this.#delay = undefined;
    this.#endDelay();
    while (this.#delay === undefined && !this.#over) {
      const step = this.#held.shift();
      if (step === undefined) return;
      step();
    }
  }

  #write(type: WatchEventType, object: object): void {
    const line = this.#encoder.line(type, object);
    this.#stream.write(line);
    this.#onSent(line.length);
  }

  #finish(): void {
    this.#over = true;
    this.#held.length = 0;
    this.#delay?.cancel();
    this.#delay = undefined;
    this.#endDelay();
  }
}
