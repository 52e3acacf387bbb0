/** What a field client is told (PLAN, as JSON), and what it says about itself: lines of JSON, and marks. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Plan
 * @property {[string, object][]} calls tools and arguments, one after another
 * @property {number} timeoutMs a call's own timeout
 * @property {number} beforeMs pause after the handshake
 * @property {number} betweenMs pause before each further call
 * @property {number} afterMs pause before the client is closed
 * @property {number} exitMs pause after that
 * @property {boolean} marks what became of a call is marked, because the wire does not say so
 * @property {boolean} errors an error that the transport reports while a call is under way fails that call's test
 */
const defaults = {
  calls: [['count', { n: 4 }]],
  timeoutMs: 2500,
  beforeMs: 300,
  betweenMs: 0,
  afterMs: 100,
  exitMs: 100,
  marks: false,
  errors: false,
};

/** @type {Plan} */
export const plan = { ...defaults, ...JSON.parse(process.env.PLAN ?? '{}') };

const say = (what) => console.log(JSON.stringify(what));

async function mark(phase, details) {
  const control = process.env.MCP_CHAOS_CONTROL;
  if (!control) return;
  const body = JSON.stringify({ phase, ...details });
  await fetch(`${control}/mark`, { method: 'POST', body }).then((response) => response.arrayBuffer());
}

/**
 * Connects, makes the calls and leaves. `client` brings `connect(onError)`, `call(tool, args)` and `close()`.
 * The process ends with 0 whatever became of the calls; what an exception in the background does to it is its own.
 */
export async function follow(client) {
  const errors = [];
  await client.connect((error) => errors.push(String(error?.message ?? error).slice(0, 200)));
  say({ connected: true });
  await sleep(plan.beforeMs);
  for (const [index, [tool, args]] of plan.calls.entries()) {
    if (index > 0) await sleep(plan.betweenMs);
    errors.length = 0;
    const start = performance.now();
    const took = () => Math.round(performance.now() - start);
    try {
      const text = await client.call(tool, args);
      say({ tool, ok: true, text, ms: took(), errors });
      if (plan.marks) await mark('resolved', { tool });
    } catch (error) {
      const text = String(error?.message ?? error).slice(0, 200);
      say({ tool, ok: false, error: text, ms: took(), errors });
      if (plan.marks) await mark('rejected', { tool, error: text });
    }
    if (plan.errors && errors.length > 0)
      await mark('rejected', { tool, error: `transport error: ${errors[0]}` });
  }
  await sleep(plan.afterMs);
  await Promise.race([client.close(), sleep(1000)]);
  await sleep(plan.exitMs);
  process.exit(0);
}
