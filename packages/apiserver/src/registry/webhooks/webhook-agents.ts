import type { WebhookAgent } from './webhook-agent.js';

const mostAgents = 200;

/** The agents of a client by their configuration. Keeps at most 200 agents. */
export class WebhookAgents {
  /** The agents in the order of their last use. */
  readonly #agents = new Map<string, WebhookAgent>();

  /** Returns the agent of a configuration. Creates the agent on first use, and retires the agent whose last use is the longest ago. */
  agent(configuration: string, create: () => WebhookAgent): WebhookAgent {
    const agent = this.#agents.get(configuration) ?? create();
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
