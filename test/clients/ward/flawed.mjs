/**
 * Careful in all but one thing, which FLAW names. An obligation is proven by a client that nothing else
 * catches: whoever is deaf breaks five rules at once, and one of them would be enough to be caught.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { discard, HttpError, never } from './base.mjs';
import { Careful } from './careful.mjs';
import { start } from './run.mjs';
import { settings } from './settings.mjs';

/** Each flaw overrides one thing. */
export const flaws = {
  /** Compares no ids; content, silence and refusals it heeds. */
  unchecked: class extends Careful {
    objection() {
      return undefined;
    }
  },

  /** Never asks a silent stream: only its own timeout ends that wait. */
  unprobing: class extends Careful {
    idleMs = undefined;
  },

  /**
   * Keeps no digest: an id that it knows is a repetition to it, whatever comes under it; and a resumed stream
   * that brought something is alive.
   */
  digestless: class extends Careful {
    receive(event, stream) {
      const again = stream.seen.has(event.id);
      if (again) stream.seen.delete(event.id);
      const { cursor } = stream;
      if (again) stream.cursor = undefined;
      const answer = super.receive(event, stream);
      if (again) stream.cursor = cursor;
      return answer;
    }

    async onSilence(stream) {
      if (stream.resumes === 0 || stream.legEvents === 0) await super.onSilence(stream);
    }
  },

  /** Has no timeout, and asks only where it resumed: on a stream that just falls silent it waits for ever. */
  boundless: class extends Careful {
    timeoutMs = undefined;
    leftAfterMs = settings.hangMs;

    async onSilence(stream) {
      if (stream.resumes > 0) await super.onSilence(stream);
    }
  },

  /** Takes a session id from any response. */
  adopting: class extends Careful {
    onHead(response) {
      this.session = response.headers.get('mcp-session-id') ?? this.session;
    }
  },

  /** Knows where a broken stream could go on, and waits for its timeout instead. */
  unresuming: class extends Careful {
    async reconnect(stream) {
      return stream.cursor ? never() : super.reconnect(stream);
    }
  },

  /** Has its answer, and asks for the stream once more. */
  clingy: class extends Careful {
    async call(tool, args) {
      const result = await super.call(tool, args);
      const { cursor } = this.latest;
      await this.pause(this.latest);
      const response = await this.get(undefined, cursor).catch(() => undefined);
      await Promise.race([response?.body?.cancel(), sleep(300)]).catch(() => {});
      return result;
    }

    async issue(stream, tool, args) {
      this.latest = stream;
      return super.issue(stream, tool, args);
    }
  },

  /** Takes whatever response comes on a call's stream for the call's own. */
  confused: class extends Careful {
    route(message, stream) {
      if (message.method === undefined && stream.id !== undefined) return message;
      return super.route(message, stream);
    }
  },

  /** Is told that nothing can bring the answer any more, and waits for its timeout. */
  unsettling: class extends Careful {
    async reconnect(stream) {
      if (!stream.cursor) return never();
      try {
        return await super.reconnect(stream);
      } catch (error) {
        if (error instanceof HttpError && error.status !== 404) return never();
        throw error;
      }
    }
  },

  /** Opens a refused stand-alone stream again at once, two dozen times. */
  pushy: class extends Careful {
    async standingRefused(response, stream) {
      await discard(response);
      for (let tries = 0; tries < 24 && !stream.over; tries += 1) {
        const again = await this.get(stream);
        await (again.ok ? again.body?.cancel() : discard(again));
      }
    }
  },

  /** Comes back after a pause of its own, whatever `retry` says. */
  hasty: class extends Careful {
    async pause() {
      await sleep(150);
    }
  },

  /** A refused resumption makes it call again, in the same session. */
  repeating: class extends Careful {
    async recover(error, attempt, stream) {
      if (error instanceof HttpError && error.status !== 404 && attempt < 3) return true;
      return super.recover(error, attempt, stream);
    }
  },

  /** Takes the id of an event that was cut off for a cursor. */
  halving: class extends Careful {
    async reconnect(stream) {
      stream.cursor = stream.partialId ?? stream.cursor;
      return super.reconnect(stream);
    }
  },

  /** Loses its cursor when a resumed stream breaks before it brought an event. */
  forgetting: class extends Careful {
    async reconnect(stream) {
      if (stream.resumes === 0 || stream.legEvents > 0) return super.reconnect(stream);
      await this.pause(stream);
      const response = await this.resume(stream, undefined);
      if (response.ok) return response;
      await discard(response);
      return never();
    }
  },
};

export const client = () => {
  const Flawed = flaws[settings.flaw];
  if (Flawed === undefined) {
    throw new Error(`FLAW=${settings.flaw}: expected one of ${Object.keys(flaws).join(', ')}`);
  }
  return new Flawed();
};

await start(import.meta.url, client);
