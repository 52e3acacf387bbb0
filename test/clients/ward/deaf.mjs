/**
 * Deaf: never notices. Resumes a broken stream, trusts what comes, tries a refused resume once more, and is
 * woken only by its own timeout. A 404 is an error of that call and no more. So do the official clients.
 */
import { Client } from './base.mjs';
import { start } from './run.mjs';

export const client = () => new Client();

await start(import.meta.url, client);
