/**
 * Reads a response body as pieces of it appear in the journal: SSE blocks as they become whole, a JSON
 * body when it ends.
 */
import { type Message, readMessages } from '../../mcp/message.ts';
import { readFields } from '../../sse/fields.ts';
import { createFrameScanner } from '../../sse/scanner.ts';

/** One whole SSE block. */
export interface Frame {
  readonly id: string | undefined;
  readonly retryMs: number | undefined;
  /** Names what it carries, without its id; undefined where it carries nothing (a comment, a priming event). */
  readonly content: string | undefined;
  readonly messages: readonly Message[];
}

export interface BodyReader {
  readonly sse: boolean;
  push(bytes: Uint8Array): readonly Frame[];
  /** What is left when the body ends: the messages of a JSON body, the id in an unfinished SSE block. */
  end(): { readonly messages: readonly Message[]; readonly unfinishedId: string | undefined };
}

export function createBodyReader(sse: boolean): BodyReader {
  return sse ? createEventReader() : createJsonReader();
}

function createEventReader(): BodyReader {
  const scanner = createFrameScanner();
  let first = true;
  return {
    sse: true,
    push(bytes) {
      return scanner.push(bytes).map((raw) => {
        const { id, data, retryMs } = readFields(raw, { first });
        first = false;
        return {
          id,
          retryMs,
          content: data === undefined || data === '' ? undefined : contentOf(data),
          messages: data === undefined ? [] : (readMessages(data)?.messages ?? []),
        };
      });
    },
    end() {
      const rest = scanner.end();
      return {
        messages: [],
        unfinishedId: rest.byteLength === 0 ? undefined : readFields(rest, { first }).id,
      };
    },
  };
}

/** Larger JSON bodies are not read: a listing that long answers nothing that a judge asks about. */
const maxJsonBytes = 64 * 1024 * 1024;

function createJsonReader(): BodyReader {
  let pieces: Uint8Array[] = [];
  let size = 0;
  return {
    sse: false,
    push(bytes) {
      size += bytes.byteLength;
      if (size <= maxJsonBytes) pieces.push(bytes);
      return [];
    },
    end() {
      const decoder = new TextDecoder();
      const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
      pieces = [];
      return { messages: readMessages(text)?.messages ?? [], unfinishedId: undefined };
    },
  };
}

/** The data itself while it is short, else its length and a 53-bit hash: a name, not a secret. */
function contentOf(data: string): string {
  if (data.length <= 200) return data;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < data.length; at += 1) {
    const code = data.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return `${data.length}:${(high >>> 0).toString(16)}${(low >>> 0).toString(16)}`;
}
