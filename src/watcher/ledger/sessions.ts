/** Finds the session that a request belongs to. */
import type { RequestFact } from '../../history/fact.ts';
import type { Spot } from './exchange.ts';
import { createSession, type Session } from './session.ts';

export interface Sessions {
  /** The session of the id that the request carries, else what the scope has without ids. */
  of(fact: RequestFact & Spot): Session;
  /** A client that begins anew: it sent `initialize` without a session id. */
  begin(fact: RequestFact & Spot): Session;
  /** The answer to `initialize` named it, or did not. */
  name(session: Session, pseudonym: string | undefined): void;
  /** A response in mid-session named another id: a client may come back under it. */
  alias(session: Session, pseudonym: string): void;
  byPseudonym(pseudonym: string): Session | undefined;
  all(): Iterable<Session>;
}

export function createSessions(): Sessions {
  const named = new Map<string, Session>();
  const unnamed = new Map<string, Session>();
  const known = new Set<Session>();

  function birth(fact: RequestFact & Spot, pseudonym: string | null): Session {
    const session = createSession({
      pseudonym,
      upstream: fact.upstream,
      scope: fact.scope,
      born: { seq: fact.seq, at: fact.at },
    });
    known.add(session);
    return session;
  }

  return {
    of(fact) {
      if (fact.session !== undefined) {
        let session = named.get(fact.session);
        if (session === undefined) {
          session = birth(fact, fact.session);
          // It was there before the run: its ids so far are not known.
          session.highestId = undefined;
          named.set(fact.session, session);
        }
        return session;
      }
      const key = `${fact.upstream}\n${fact.scope}`;
      let session = unnamed.get(key);
      if (session === undefined) {
        session = birth(fact, null);
        unnamed.set(key, session);
      }
      return session;
    },
    begin: (fact) => birth(fact, null),
    name(session, pseudonym) {
      if (pseudonym === undefined) {
        unnamed.set(`${session.upstream}\n${session.scope}`, session);
        return;
      }
      session.pseudonym = pseudonym;
      named.set(pseudonym, session);
    },
    alias(session, pseudonym) {
      if (!named.has(pseudonym)) named.set(pseudonym, session);
    },
    byPseudonym: (pseudonym) => named.get(pseudonym),
    all: () => known,
  };
}
