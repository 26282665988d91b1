import { createRequire } from 'node:module';
import type { WebhookAgent, WebhookAgentOptions } from './webhook-agent.js';

const load = createRequire(import.meta.url);
const mostAgents = 200;

/** The agents of a client by their configuration. Keeps at most 200 agents. */
export class WebhookAgents {
  /** The agents in the order of their last use. */
  readonly #agents = new Map<string, WebhookAgent>();

  /** Returns the agent of a configuration. Creates the agent on first use, and retires the agent whose last use is the longest ago. */
  agent(configuration: string, optionsOf: () => WebhookAgentOptions): WebhookAgent {
    const agent = this.#agents.get(configuration) ?? newAgent(optionsOf());
    this.#agents.delete(configuration);
    this.#agents.set(configuration, agent);
    const [oldest] = this.#agents;
    if (oldest !== undefined && this.#agents.size > mostAgents) {
      this.#agents.delete(oldest[0]);
      oldest[1].retire();
    }
    return agent;
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

/** Returns a new agent. Most servers call no webhooks, so the class is loaded on demand. */
function newAgent(options: WebhookAgentOptions): WebhookAgent {
  const { WebhookAgent: Loaded } = load('./webhook-agent.js') as typeof import('./webhook-agent.js');
  return new Loaded(options);
}
