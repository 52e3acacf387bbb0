/**
 * Greedy: adopts a session id from whatever response carries one (2025-11-25, basic/transports: it is given
 * with the answer to `initialize` and nowhere else). Otherwise deaf.
 */
import { Client } from './base.mjs';
import { start } from './run.mjs';

class Greedy extends Client {
  onHead(response) {
    this.session = response.headers.get('mcp-session-id') ?? this.session;
  }
}

export const client = () => new Greedy();

await start(import.meta.url, client);
