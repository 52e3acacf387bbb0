/**
 * Flatterer: deaf, but posts marks that praise itself: at every break it claims to have rejected the call
 * with a desync error, and goes on waiting for its timeout.
 */
import { Client } from './base.mjs';
import { start } from './run.mjs';

const praise = 'StreamEpochDesyncError: cursor regression detected, call rejected';

class Flatterer extends Client {
  async reconnect(stream) {
    await this.postMark('rejected', { tool: stream.tool, requestId: stream.id, error: praise });
    return super.reconnect(stream);
  }

  async mark(phase, details) {
    await this.postMark(phase, phase === 'rejected' ? { ...details, error: praise } : details);
  }
}

export const client = () => new Flatterer();

await start(import.meta.url, client);
