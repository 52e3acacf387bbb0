/** All cases of a run: opens them, makes weightier occasions of them, settles them once and for all. */
import type { Contract } from '../cursor/contract.ts';
import type { BoundFault } from '../faults/bound-fault.ts';
import { faultNamed } from '../faults/index.ts';
import type { DecisionFact } from '../history/fact.ts';
import type { Anew, Case, Settlement } from './case.ts';
import type { Call } from './ledger/call.ts';
import type { Spot } from './ledger/exchange.ts';
import type { Ledger } from './ledger/ledger.ts';
import { appliedAt, processEndOf } from './ledger/run.ts';
import type { Session } from './ledger/session.ts';
import { lostOn, type Stream } from './ledger/stream.ts';
import { type Occasion, type OccasionKind, rankOf, type Traits, traits } from './occasion.ts';

/** Who is affected: a request, or a session's stand-alone stream. */
export type Unit =
  | { readonly call: Call }
  | { readonly session: Session; readonly stream: Stream | undefined };

export interface Sighting {
  readonly kind: OccasionKind;
  readonly spot: Spot;
  readonly exchange: number;
  /** As the fact itself names it; else what was last applied there. */
  readonly decision?: string | undefined;
  readonly shown: string;
  /** Where the bytes at hand say more than the kind does. */
  readonly detectability?: Occasion['detectability'];
  readonly control?: boolean;
}

export interface Docket {
  readonly ledger: Ledger;
  readonly contract: Contract;
  readonly timeoutMs: number | undefined;
  readonly deadlineMs: number;
  /** Opens a case, or raises the one that is open; undefined where it is settled or has seen worse. */
  raise(unit: Unit, sighting: Sighting): Case | undefined;
  /** What it was about shows only now; what the client has done since stands. */
  revise(one: Case, sighting: Sighting): void;
  /** Takes back a suspicion. */
  drop(one: Case): void;
  /** A duty of its own beside the case of the same request, not settled yet. */
  openBeside(unit: Unit, sighting: Sighting): Case;
  /** A duty of its own beside the case of the same request, settled at once. */
  beside(unit: Unit, sighting: Sighting, settlement: Settlement): Case;
  settle(one: Case, settlement: Settlement): void;
  /** A session that may be the client's answer to the occasion. */
  begin(one: Case, anew: Anew): void;
  /** Cases to which this session may be the answer, settled or not. */
  resetBy(session: Session): readonly Case[];
  ofCall(call: Call): Case | undefined;
  /** The case of the request, or the open one of the subscription. */
  openOf(unit: Unit): Case | undefined;
  /** Unsettled ones. */
  openIn(session: Session): readonly Case[];
  open(): readonly Case[];
  all(): readonly Case[];
  boundFault(decision: string | undefined): BoundFault | undefined;
}

const beside: readonly OccasionKind[] = ['session-id-changed', 'session-id-missing', 'answered-twice'];

/** It has a duty of its own, whatever else happens to the same request. */
export function isBeside(one: Case): boolean {
  return beside.includes(one.occasion.kind);
}

function sessionOf(unit: Unit): Session {
  return 'call' in unit ? unit.call.session : unit.session;
}

function bind({ fault, params }: DecisionFact): BoundFault | undefined {
  try {
    return faultNamed(fault)?.bind(params);
  } catch {
    // Written by a version whose fault had other parameters.
    return undefined;
  }
}

export function createDocket(ledger: Ledger): Docket {
  const cases: Case[] = [];
  const byCall = new Map<Call, Case>();
  const unsettled = new Map<Session, Set<Case>>();
  const openCases = new Set<Case>();
  const ids = new Set<string>();
  const begun = new Map<Session, Case[]>();
  const faults = new Map<string, BoundFault | undefined>();

  function occasionOf(sighting: Sighting, session: Session, stream: Stream | undefined): Occasion {
    const applied = appliedAt(ledger.run, sighting.exchange, stream?.id);
    const ended = processEndOf(ledger.run, session, sighting.spot);
    // What was done to it last explains it, and an ended process explains it for all of its sessions.
    const cause = ended !== undefined && ended.seq > (applied?.seq ?? 0) ? ended : applied;
    const decision = sighting.decision ?? cause?.decision;
    const fault = boundFault(decision);
    const counts = decision !== undefined && ledger.run.decisions.get(decision)?.applied === true;
    const kind: Traits = traits[sighting.kind];
    // The run watches what it applied and where streams end. What was shown comes right after the former.
    const watched = ledger.run.appliedTo.exchange.get(sighting.exchange)?.at(-1);
    const since =
      watched !== undefined && kind.rank >= 2 ? Math.min(watched.seq, sighting.spot.seq) : sighting.spot.seq;
    return {
      kind: sighting.kind,
      spot: sighting.spot,
      since,
      exchange: sighting.exchange,
      decision,
      detectability: sighting.detectability ?? kind.detectability,
      control: sighting.control ?? (kind.control && (counts ? fault?.control !== false : true)),
      shown: sighting.shown,
    };
  }

  function boundFault(decision: string | undefined): BoundFault | undefined {
    const fact = decision === undefined ? undefined : ledger.run.decisions.get(decision)?.fact;
    if (fact === undefined) return undefined;
    if (!faults.has(fact.id)) faults.set(fact.id, bind(fact));
    return faults.get(fact.id);
  }

  function create(unit: Unit, occasion: Occasion, suffix: string): Case {
    const call = 'call' in unit ? unit.call : undefined;
    const session = sessionOf(unit);
    const one: Case = {
      id: uniqueId(
        `f${occasion.spot.seq}${call === undefined || call.index === 0 ? '' : `.${call.index + 1}`}${suffix}`,
      ),
      session,
      call,
      stream: 'call' in unit ? unit.call.stream : unit.stream,
      opened: occasion.spot,
      occasion,
      visible: rankOf(occasion.kind) > 0,
      settled: undefined,
      flags: new Set(),
      evidence: new Set([occasion.spot.seq]),
      exchanges: new Set(call === undefined ? [occasion.exchange] : [call.exchange.n, occasion.exchange]),
      tries: [],
      resumed: 'not',
      coherent: false,
      leg: undefined,
      closing: undefined,
      anew: undefined,
      again: undefined,
      bareGet: undefined,
      reissue: undefined,
      rejectedBy: undefined,
      deadlines: [],
      left: undefined,
      rivalled: false,
      reused: false,
      doubtful: false,
      settledInSequence: false,
      moot: undefined,
      timed: false,
      lost: undefined,
      why: undefined,
    };
    cases.push(one);
    return one;
  }

  function enlist(one: Case): void {
    let open = unsettled.get(one.session);
    if (open === undefined) {
      open = new Set();
      unsettled.set(one.session, open);
    }
    open.add(one);
    openCases.add(one);
  }

  function unlist(one: Case): void {
    unsettled.get(one.session)?.delete(one);
    openCases.delete(one);
  }

  function adopt(one: Case, sighting: Sighting): void {
    one.occasion = occasionOf(sighting, one.session, one.call === undefined ? one.stream : one.call.stream);
    one.evidence.add(sighting.spot.seq);
    one.exchanges.add(sighting.exchange);
    one.visible ||= rankOf(sighting.kind) > 0;
  }

  function uniqueId(wanted: string): string {
    let id = wanted;
    for (let n = 2; ids.has(id); n += 1) id = `${wanted}-${n}`;
    ids.add(id);
    return id;
  }

  function openOf(unit: Unit): Case | undefined {
    if ('call' in unit) return byCall.get(unit.call);
    for (const one of unsettled.get(unit.session) ?? []) {
      if (one.call === undefined && !isBeside(one)) return one;
    }
    return undefined;
  }

  return {
    ledger,
    get contract() {
      return ledger.run.started?.contract ?? 'opaque';
    },
    get timeoutMs() {
      return ledger.run.started?.options.clientTimeoutMs;
    },
    get deadlineMs() {
      return ledger.run.started?.options.deadlineMs ?? 0;
    },
    raise(unit, sighting) {
      const known = openOf(unit);
      const stream = 'call' in unit ? unit.call.stream : unit.stream;
      if (known === undefined) {
        const one = create(unit, occasionOf(sighting, sessionOf(unit), stream), '');
        if ('call' in unit) byCall.set(unit.call, one);
        enlist(one);
        return one;
      }
      if (known.settled !== undefined) return undefined;
      const before = rankOf(known.occasion.kind);
      const now = rankOf(sighting.kind);
      if (now < before || (now === before && now >= 2)) return undefined;
      adopt(known, sighting);
      // What the client did before this was no reaction to it.
      known.closing = undefined;
      known.anew = undefined;
      known.rejectedBy = undefined;
      // Nor are attempts to go on in a session that is gone: of a server that crashed there may be many.
      if (now === 3) known.tries.length = 0;
      return known;
    },
    revise: adopt,
    drop(one) {
      unlist(one);
      if (one.call !== undefined && byCall.get(one.call) === one) byCall.delete(one.call);
      cases.splice(cases.lastIndexOf(one), 1);
      ids.delete(one.id);
    },
    openBeside(unit, sighting) {
      const stream = 'call' in unit ? unit.call.stream : unit.stream;
      const one = create(unit, occasionOf(sighting, sessionOf(unit), stream), `-${sighting.kind}`);
      enlist(one);
      return one;
    },
    beside(unit, sighting, settlement) {
      const stream = 'call' in unit ? unit.call.stream : unit.stream;
      const one = create(unit, occasionOf(sighting, sessionOf(unit), stream), `-${sighting.kind}`);
      one.settled = settlement;
      one.timed = true;
      if (settlement.act !== undefined) one.evidence.add(settlement.act.seq);
      return one;
    },
    settle(one, settlement) {
      if (one.settled !== undefined) return;
      one.settled = settlement;
      one.visible = true;
      if (settlement.act !== undefined) one.evidence.add(settlement.act.seq);
      const stream = one.call === undefined ? one.stream : one.call.stream;
      one.lost = stream === undefined ? undefined : lostOn(stream);
      unlist(one);
    },
    begin(one, anew) {
      one.anew = anew;
      one.evidence.add(anew.seq);
      const list = begun.get(anew.session) ?? [];
      if (!list.includes(one)) list.push(one);
      begun.set(anew.session, list);
    },
    resetBy: (session) => (begun.get(session) ?? []).filter((one) => one.anew?.session === session),
    ofCall: (call) => byCall.get(call),
    openOf,
    openIn: (session) => [...(unsettled.get(session) ?? [])],
    open: () => [...openCases],
    all: () => cases,
    boundFault,
  };
}
