/**
 * What the clients that notice have in common: they check every id against the contract that the run
 * declares, keep a digest of what they had, and ask on silence. What they do about it is their own affair:
 * the call gets a `Desync` or an `HttpError`.
 *
 * The checks are the seed documents' ("cursor monotonicity and epoch identity on the first replayed
 * frame"; "the last event's semantic digest"; a liveness signal), which hold only under such a contract.
 */
import { createHash } from 'node:crypto';
import { Client, discard, HttpError } from './base.mjs';
import { settings } from './settings.mjs';

export class Desync extends Error {
  name = 'StreamEpochDesyncError';
}

/** Answers after which the same resume is worth another try. */
const transient = new Set([409, 429, 502, 503, 504]);

export class Watchful extends Client {
  idleMs = settings.idleMs;

  receive(event, stream) {
    if (event.id !== undefined && event.id !== '') {
      const digest = createHash('sha256')
        .update(event.data ?? '')
        .digest('hex');
      const known = stream.seen.get(event.id);
      if (known !== undefined && known !== digest) {
        throw new Desync(`id ${event.id} came again with other content`);
      }
      // Delivered again, word for word: at least once is no desync. The cursor stays where it was.
      if (known !== undefined) return undefined;
      const problem = this.objection(stream.cursor, event.id);
      if (problem !== undefined) throw new Desync(problem);
      stream.seen.set(event.id, digest);
    }
    return super.receive(event, stream);
  }

  /** What is wrong with an id that was not seen before. */
  objection(last, next) {
    return violation(settings.contract, last, next);
  }

  route(message, stream) {
    const answers = message.method === undefined && message.id != null;
    // 2025-11-25, basic/transports: the server MUST NOT replay messages of another stream.
    if (answers && message.id !== stream.id) {
      throw new Desync(
        `the answer to request ${message.id} came on the stream of ${stream.id ?? 'no request'}`,
      );
    }
    return super.route(message, stream);
  }

  async notAStream(response) {
    await discard(response);
    throw new HttpError(response.status, `content type ${response.headers.get('content-type')}`);
  }

  /** Asks whether the session lives; then tries the cursor once, and gives the stream up after that. */
  async onSilence(stream) {
    if (!(await this.alive())) throw new Desync('silence, and the session does not answer a ping');
    if (stream.resumes > 0) throw new Desync(`nothing came of the resume after id ${stream.cursor}`);
    stream.leg.abort();
  }

  async alive() {
    const stream = this.newStream();
    const body = JSON.stringify({ jsonrpc: '2.0', id: stream.id, method: 'ping' });
    try {
      const response = await this.request('POST', {
        body,
        signal: AbortSignal.timeout(Math.max(500, settings.idleMs)),
      });
      return response.ok && (await this.readLeg(response, stream)) !== undefined;
    } catch {
      return false;
    }
  }

  async reconnect(stream) {
    if (!stream.cursor) throw new Desync('the stream broke and there is no cursor to resume with');
    if (stream.resumes >= 6) throw new Desync('the stream breaks at every resume');
    for (let tries = 1; ; tries += 1) {
      await this.pause(stream);
      const response = await this.resume(stream, stream.cursor).catch(() => undefined);
      if (response?.status === 200) return response;
      if (response) await discard(response);
      if (tries < 3 && (response === undefined || transient.has(response.status))) continue;
      throw new HttpError(response?.status ?? 'a broken connection', `the resume after ${stream.cursor}`);
    }
  }

  async standingRefused(response) {
    await discard(response);
    if (response.status === 404) throw new HttpError(404, 'the stand-alone stream');
  }
}

/** What is wrong with `next` after `last` under the contract; undefined where nothing is, or nothing can be said. */
export function violation(contract, last, next) {
  if (!last || contract === 'opaque') return undefined;
  const [before, after] = [parse(contract, last), parse(contract, next)];
  if (before === undefined || after === undefined)
    return `id ${next} after ${last} is not as the contract says`;
  if (before.epoch !== after.epoch) return `epoch ${after.epoch} after ${before.epoch}`;
  if (after.number <= before.number) return `cursor regression: ${next} after ${last}`;
  if (contract !== 'monotonic:session' && after.number !== before.number + 1n) {
    return `event gap: ${next} after ${last}`;
  }
  return undefined;
}

function parse(contract, id) {
  const pattern = contract === 'epoch' ? /^(?<epoch>.+):(?<number>\d+)$/ : /^(?<number>\d+)$/;
  const found = pattern.exec(id)?.groups;
  return found && { epoch: found.epoch, number: BigInt(found.number) };
}
