/**
 * Torn down: deaf, and its test runner loses patience after GIVE_UP_MS, before the client's own timeout:
 * closes every stream, DELETEs the session and exits with 1. Nobody detected anything. With AGAIN=1 the
 * runner goes on to the next test with a new client, which initializes, in the same process and scope. With
 * RUNNER_MARKS=1 it marks the test as what it was: timed out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './base.mjs';
import { start } from './run.mjs';
import { settings } from './settings.mjs';

const gaveUp = Symbol('gave up');

class TornDown extends Client {
  async call(tool, args) {
    const work = super.call(tool, args);
    const stop = new AbortController();
    const patience = sleep(settings.giveUpMs, gaveUp, { signal: stop.signal }).catch(() => {});
    const first = await Promise.race([work, patience]).finally(() => stop.abort());
    if (first !== gaveUp) return first;
    work.catch(() => {});
    const closed = Object.assign(new Error('Connection closed'), { name: 'McpError' });
    for (const stream of this.pending) stream.giveUp(closed);
    await this.disconnect();
    if (settings.runnerMarks) {
      await this.postMark('rejected', {
        name: 'a test',
        error: `test timed out after ${settings.giveUpMs} ms`,
      });
    }
    if (!settings.again) await this.finish(1);
    // Another client: its numbers begin again.
    this.lastId = 0;
    await this.connect();
    throw Object.assign(new Error(`the test took longer than ${settings.giveUpMs} ms`), { name: 'GaveUp' });
  }
}

export const client = () => new TornDown();

await start(import.meta.url, client);
