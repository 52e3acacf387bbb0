/** What Node projects ask with, beside what Node has itself; each with its own name in what it sends. */
import axios from 'axios';
import got from 'got';
import nodeFetch from 'node-fetch';
import superagent from 'superagent';
import * as undici5 from 'undici-5';
import * as undici6 from 'undici-6';
import * as undici7 from 'undici-7';
import { bodyOf, headers, start } from './server.mjs';

const server = await start();
const { url } = server;
const post = (name) => ({ method: 'POST', headers, body: bodyOf(name) });

await axios.post(url, bodyOf('axios'), { headers });
await got.post(url, { headers, body: bodyOf('got') });
await (await nodeFetch(url, post('node-fetch'))).text();
await superagent.post(url).set(headers).send(bodyOf('superagent'));
for (const [name, undici] of Object.entries({ undici5, undici6, undici7 })) {
  await (await undici.fetch(url, post(`${name} fetch`))).text();
  const dispatcher = new undici.Agent();
  await (await undici.request(url, { ...post(`${name} request`), dispatcher })).body.text();
}
// Reads http_proxy by itself; what is no MCP goes direct all the same.
await axios.get(new URL('/health', url).href);
server.stop();
process.exit(0);
