import { describe, expect, it } from 'vitest';
import { cursorOf, endToEnd, journalHeaders, pseudonym, withHeader } from '../../src/proxy/headers.ts';

describe('headers on their way through', () => {
  it('keep their case, order and duplicates', () => {
    const raw = ['X-b', '1', 'set-cookie', 'a', 'Set-Cookie', 'b', 'X-B', '2'];
    expect(endToEnd(raw)).toEqual(raw);
  });

  it('lose what belongs to one connection, and what Connection names', () => {
    const raw = [
      'Connection',
      'keep-alive, X-Hop',
      'Keep-Alive',
      'timeout=5',
      'x-hop',
      '1',
      'TE',
      'trailers',
      'Accept',
      '*/*',
    ];
    expect(endToEnd(raw)).toEqual(['Accept', '*/*']);
  });

  it('are replaced in place, under the spelling they had', () => {
    expect(withHeader(['A', '1', 'mcp-SESSION-id', 'old', 'B', '2'], 'Mcp-Session-Id', 'new')).toEqual([
      'A',
      '1',
      'mcp-SESSION-id',
      'new',
      'B',
      '2',
    ]);
    expect(withHeader(['A', '1'], 'B', '2')).toEqual(['A', '1', 'B', '2']);
    expect(withHeader(['A', '1', 'a', '2'], 'a', null)).toEqual([]);
  });
});

describe('the journal', () => {
  it('keeps an allow-list and nothing that could carry a credential', () => {
    const raw = [
      'Authorization',
      'Bearer s3cret',
      'Cookie',
      'sid=1',
      'Mcp-Session-Id',
      'abc',
      'X-Api-Key',
      'k',
      'Accept',
      'text/event-stream',
    ];
    expect(journalHeaders(raw)).toEqual({ accept: 'text/event-stream' });
  });

  it('names a session by a pseudonym that is stable and not the id', () => {
    const own = { name: 'upstream', url: new URL('http://127.0.0.1:1/mcp') };
    expect(pseudonym('session-1', own)).toMatch(/^[0-9a-f]{12}$/);
    expect(pseudonym('session-1', own)).not.toBe(pseudonym('session-2', own));
    // Where the run's own upstream listens makes no difference.
    const moved = { name: 'upstream', url: new URL('http://127.0.0.1:2/mcp') };
    expect(pseudonym('session-1', own)).toBe(pseudonym('session-1', moved));
  });

  it('tells apart two servers that give the same id', () => {
    const server = (port: number) => ({
      name: 'server-1',
      url: new URL(`http://127.0.0.1:${port}`),
      byClient: { verified: true },
    });
    expect(pseudonym('one', server(1))).not.toBe(pseudonym('one', server(2)));
  });
});

it('a cursor of more than ASCII is read as UTF-8', () => {
  const wire = Buffer.from('été:7', 'utf8').toString('latin1');
  expect(cursorOf(['Last-Event-ID', wire])).toBe('été:7');
  expect(cursorOf([])).toBeUndefined();
});
