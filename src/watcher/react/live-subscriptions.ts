/**
 * The stand-alone stream is open, and something of it was left out. What was lost makes the difference: state
 * that the client has asked to be told of is wrong until it asks for it, a line of a log is gone and that is all.
 */

import { type Case, openLeg } from '../case.ts';
import { type Docket, isBeside } from '../docket.ts';
import type { Spot } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import { lostOn } from '../ledger/stream.ts';
import { isOnLiveStream } from '../occasion.ts';
import type { Outcome } from '../report.ts';
import { afterMs, isPrompt } from '../timing.ts';

/** Requests whose answers hold what a notification of a change only hints at. */
const reads = [
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'tools/list',
  'prompts/list',
  'prompts/get',
];

export function reactOnLiveSubscriptions(told: Happening, docket: Docket): void {
  switch (told.type) {
    case 'calls':
      for (const one of mine(docket.openIn(told.exchange.session))) onWork(one, told, docket);
      return;
    case 'get':
      for (const one of mine(docket.openIn(told.exchange.session))) onListenAnew(one, told, docket);
      return;
    case 'deadline':
      for (const one of mine(docket.open())) {
        const listens = openLeg(one) !== undefined && told.since >= one.occasion.since;
        if (listens) settleAsItIs(one, told, 'kept listening to it for a whole deadline', docket);
      }
      return;
    case 'child-exited':
    case 'run-ended':
      for (const one of mine(docket.open())) {
        // Who left it much later left for another reason.
        const leaving = one.closing ?? one.left;
        if (leaving !== undefined && isPrompt(one, leaving)) continue;
        settleAsItIs(one, leaving ?? told, `listened to it ${when(one, leaving ?? told)} still`, docket);
      }
  }
}

function mine(cases: readonly Case[]): readonly Case[] {
  return cases.filter((one) => one.call === undefined && !isBeside(one) && isOnLiveStream(one.occasion.kind));
}

function onWork(one: Case, told: Extract<Happening, { type: 'calls' }>, docket: Docket): void {
  const read = told.calls.find(({ method }) => reads.includes(method));
  if (read !== undefined)
    settle(one, 'recovered', told, `asked for ${read.method} ${when(one, told)}`, docket);
  else if (one.closing !== undefined) {
    const did = `closed the stream ${when(one, one.closing)}, and its session went on`;
    settle(one, 'surfaced', one.closing, did, docket);
  } else if (!isPrompt(one, told))
    settleAsItIs(one, told, `went on with its calls ${when(one, told)}`, docket);
}

function onListenAnew(one: Case, told: Extract<Happening, { type: 'get' }>, docket: Docket): void {
  if (one.closing === undefined) return;
  const { cursor } = told.exchange.fact;
  if (cursor !== undefined) {
    // It closed the stream to open it again: what is replayed shows what is lost still.
    if (one.stream?.shown.has(cursor) === true) one.closing = undefined;
    return;
  }
  const did = `left the stream and opened the stand-alone stream anew ${when(one, told)}`;
  settle(one, 'reset', told, did, docket);
}

function settleAsItIs(one: Case, act: Spot, did: string, docket: Docket): void {
  const lost = one.stream === undefined ? undefined : lostOn(one.stream);
  const harmless = lost === undefined || lost === 'progress';
  settle(one, harmless ? 'recovered' : 'accepted', act, did, docket);
}

function settle(one: Case, outcome: Outcome, act: Spot, did: string, docket: Docket): void {
  docket.settle(one, { outcome, confidence: 'proven', act, did });
}

function when(one: Case, act: Spot): string {
  return afterMs(one.occasion.spot, act);
}
