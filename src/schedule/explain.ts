/**
 * What a schedule decides for traffic that is on record: the calls of a journal, each with its site, as the
 * proxy would have asked about them. What a client does about a fault changes what it sends afterwards; that
 * no journal of other faults can tell.
 */
import type { Contract } from '../cursor/contract.ts';
import type { CallView } from '../faults/fault.ts';
import { faultNamed } from '../faults/index.ts';
import type { AppliedFact, Fact, RequestFact } from '../history/fact.ts';
import { familyOf } from '../history/request-family.ts';
import { fromWire } from '../history/wire-bytes.ts';
import { argumentsDigest } from '../mcp/digest.ts';
import { toolOf } from '../mcp/family.ts';
import { type Request, readMessages } from '../mcp/message.ts';
import type { Decision, ScheduleSubject } from './decision.ts';
import { type CallLane, type CallName, nextSite, noCalls, standaloneGet } from './lane.ts';
import { siteKey } from './site.ts';

export interface SeenCall {
  readonly exchange: number;
  /** When its request came, in ms since the run began. */
  readonly at: number;
  /** `upstream/scope/lane`, as in its site. */
  readonly lane: string;
  readonly method: string;
  readonly tool: string;
  readonly site: string;
  readonly decision: Decision | undefined;
}

interface Asked {
  readonly fact: RequestFact;
  readonly at: number;
  readonly lane: CallLane;
}

/** `decide` is asked as the proxy asks: once for each call of a session-family request, in their order. */
export function explain(
  facts: Iterable<Fact>,
  contract: Contract,
  decide: (subject: ScheduleSubject) => Decision | undefined,
): readonly SeenCall[] {
  const seen: SeenCall[] = [];
  const lanes = new Map<string, CallLane>();
  const homes = new Map<string, CallLane>();
  const requests = new Map<number, Asked>();
  /** Lanes whose session is gone: what is sent there is refused and no call. */
  const refused = new Set<CallLane>();
  let managed: string | undefined;

  /** A session may be used in another scope than the one it began in. */
  const laneOf = (fact: RequestFact): CallLane => {
    const home = fact.session === undefined ? undefined : homes.get(`${fact.upstream}\n${fact.session}`);
    if (home !== undefined) return home;
    const { upstream, scope, lane: name } = fact;
    const key = `${upstream}\n${scope}\n${name}`;
    const lane = lanes.get(key) ?? { upstream: { name: upstream }, scope, name, ...noCalls() };
    lanes.set(key, lane);
    if (fact.session !== undefined) homes.set(`${upstream}\n${fact.session}`, lane);
    return lane;
  };
  /** True where the call got a decision. */
  const ask = (
    { fact, at, lane }: Asked,
    scope: string,
    call: CallName,
    view: CallView,
    taken: boolean,
  ): boolean => {
    const { site, ordinal } = nextSite(lane, scope, call);
    const subject = { site, call: view, ordinal, managed: managed === fact.upstream };
    const drawn = taken ? undefined : decide(subject);
    const decision = drawn !== undefined && takes(lane, scope, drawn) ? drawn : undefined;
    const { method, tool } = call;
    const place = `${site.upstream}/${site.scope}/${site.lane}`;
    seen.push({ exchange: fact.exchange, at, lane: place, method, tool, site: siteKey(site), decision });
    return decision !== undefined;
  };

  for (const fact of facts) {
    if (fact.kind === 'run-started') {
      if (fact.flags?.includes('--upstream-cmd') === true) managed = fact.upstreams[0];
    } else if (fact.kind === 'request' && fact.mcp) {
      const asked = { fact, at: fact.at, lane: laneOf(fact) };
      requests.set(fact.exchange, asked);
      const { lane } = asked;
      const opens =
        fact.verb === 'GET' && fact.cursor === undefined && familyOf(fact, undefined) === 'session';
      if (!opens || refused.has(lane) || lane.standaloneArmed) continue;
      lane.standaloneArmed = true;
      ask(asked, lane.scope, standaloneGet, viewOf(fact, contract, 'GET', undefined), false);
    } else if (fact.kind === 'request-body') {
      const asked = requests.get(fact.exchange);
      const text = new TextDecoder().decode(fromWire(fact.body));
      if (asked === undefined || familyOf(asked.fact, text) !== 'session' || refused.has(asked.lane))
        continue;
      let taken = false;
      for (const message of readMessages(text)?.messages ?? []) {
        if (message.type !== 'request') continue;
        const view = viewOf(asked.fact, contract, message.method, toolOf(message));
        taken = ask(asked, asked.fact.scope, nameOf(message), view, taken) || taken;
      }
    } else if (fact.kind === 'head' && fact.session !== undefined) {
      // The answer to `initialize`, or a further id under which the client may come back.
      const asked = requests.get(fact.exchange);
      const key = `${asked?.fact.upstream}\n${fact.session}`;
      if (asked !== undefined && !homes.has(key)) homes.set(key, asked.lane);
    } else if (fact.kind === 'applied' && refusesSession(fact)) {
      const asked = requests.get(fact.exchange);
      if (asked !== undefined) refused.add(asked.lane);
    }
  }
  return seen;
}

function nameOf(message: Request): CallName {
  return { method: message.method, tool: toolOf(message) ?? '', digest: argumentsDigest(message.params) };
}

function viewOf(fact: RequestFact, contract: Contract, method: string, tool: string | undefined): CallView {
  return {
    channel: fact.verb === 'GET' ? 'GET' : 'POST',
    method,
    tool,
    revision: fact.protocolVersion,
    contract,
    hasSession: fact.session !== undefined,
  };
}

/** As the journal words that effect (faults/effect.ts). */
function refusesSession({ effects }: AppliedFact): boolean {
  return effects.includes('refuse session with');
}

/** At most one session fault for a scope of a lane. */
function takes(lane: CallLane, scope: string, { fault }: Decision): boolean {
  if (faultNamed(fault)?.reach !== 'session') return true;
  if (lane.sessionFaults.has(scope)) return false;
  lane.sessionFaults.add(scope);
  return true;
}
