/**
 * The official SDK as a conformance client: the scenario comes by the environment, the server's URL as the last
 * argument. Calls every tool that it is offered, as the scenarios want it.
 */
const sdk = 'sdk-1.32.2';
const { Client } = await import(`${sdk}/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${sdk}/client/streamableHttp.js`);

const client = new Client({ name: 'field', version: '1' }, { capabilities: {} });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv.at(-1))));
const { tools } = await client.listTools();
const args = { add_numbers: { a: 1, b: 2 }, count: { n: 2 } };
for (const { name } of tools.filter((tool) => tool.name in args || tool.name === 'test_reconnection')) {
  const { content } = await client.callTool({ name, arguments: args[name] ?? {} });
  console.log(name, content.at(-1).text);
}
await client.close();
