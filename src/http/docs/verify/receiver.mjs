import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifiedEvent } from './verify.mjs';

const { SECRET = '', PORT = '8787' } = process.env;

createServer(async (request, response) => {
  try {
    const event = verifiedEvent(SECRET, request.headers, await buffer(request));
    console.log(`verified: ${event.type} of ${event.data.trackingNumber}, ${event.data.status}`);
    response.writeHead(204).end();
  } catch (error) {
    console.error(`rejected: ${error.message}`);
    response.writeHead(400).end();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`receiving at http://127.0.0.1:${PORT}/`));
