// The server of the benchmark: raw TCP that speaks just enough HTTP and MCP, so that it is never the bottleneck.
// Throughput events are encoded before they are asked for, one HTTP chunk each; paced events carry the time.
//
// What a call does stands in its arguments: {slot, events, rate}. rate 0 = as fast as the reader takes them;
// events 0 = one event, then silence until the connection goes.
import net from 'node:net';

const BLOCK = 64 * 1024;
const SIZE = 120;

/** One event with 120 bytes of JSON, as an HTTP chunk. `slot` keeps ids unique over streams. */
function event(slot, index, stamp = '') {
  const head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${index},"message":"${stamp}`;
  const json = `${head}${'.'.repeat(Math.max(0, SIZE - head.length - 3))}"}}`;
  return chunk(`event: message\nid: ${slot}_${index}\ndata: ${json}\n\n`);
}

function chunk(text) {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

const encoded = new Map();
function blocks(slot, events) {
  const key = `${slot}/${events}`;
  const known = encoded.get(key);
  if (known) return known;
  const list = [];
  let text = '';
  for (let index = 1; index <= events; index++) {
    text += event(slot, index);
    if (text.length >= BLOCK || index === events) {
      list.push(Buffer.from(text));
      text = '';
    }
  }
  encoded.set(key, list);
  return list;
}

const SSE_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n';

function answer(socket, status, headers, body = '') {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `HTTP/1.1 ${status}\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function finish(socket, slot, id) {
  const result = JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text: 'done' }] },
  });
  socket.write(`${chunk(`event: message\nid: ${slot}_end\ndata: ${result}\n\n`)}0\r\n\r\n`);
}

/** Everything at once, as fast as the other side reads. */
function flood(socket, { slot, events }, id) {
  const list = blocks(slot, events);
  let next = 0;
  const go = () => {
    while (next < list.length) {
      if (!socket.write(list[next++])) return socket.once('drain', go);
    }
    finish(socket, slot, id);
  };
  go();
}

/** `rate` events a second, each with the time at which it was written, in nanoseconds. */
function pace(socket, { slot, events, rate }, id) {
  // Streams start at different points of the interval, as real ones do.
  const start = performance.now() + ((slot * 7919) % 1000) / rate;
  let next = 0;
  let timer;
  const tick = () => {
    while (next < events && performance.now() >= start + (next * 1000) / rate) {
      next += 1;
      socket.write(event(slot, next, `t${process.hrtime.bigint()}t`));
    }
    if (next >= events) return finish(socket, slot, id);
    timer = setTimeout(tick, Math.max(0, start + (next * 1000) / rate - performance.now()));
  };
  tick();
  socket.once('close', () => clearTimeout(timer));
}

let sessions = 0;

function serve(socket, verb, body) {
  if (verb !== 'POST') return answer(socket, '405 Method Not Allowed', { Allow: 'POST' });
  const message = JSON.parse(body);
  if (message.method === 'initialize') {
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'bench-origin', version: '1' },
    };
    sessions += 1;
    const headers = {
      'Content-Type': 'application/json',
      'Mcp-Session-Id': `bench-${process.pid}-${sessions}`,
    };
    return answer(socket, '200 OK', headers, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  }
  if (message.id === undefined) return answer(socket, '202 Accepted', {});
  const call = message.params.arguments;
  socket.write(SSE_HEAD);
  if (call.events === 0) return socket.write(event(call.slot, 1));
  return call.rate > 0 ? pace(socket, call, message.id) : flood(socket, call, message.id);
}

const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  let pending = Buffer.alloc(0);
  socket.on('data', (data) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    for (;;) {
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = pending.latin1Slice(0, end);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (/\r\ntransfer-encoding:/i.test(head)) return answer(socket, '411 Length Required', {});
      if (pending.length < end + 4 + length) return;
      const body = pending.utf8Slice(end + 4, end + 4 + length);
      pending = pending.subarray(end + 4 + length);
      serve(socket, head.slice(0, head.indexOf(' ')), body);
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
// The driver holds our standard input open; when it goes, so do we.
process.stdin.resume().once('end', () => process.exit(0));
