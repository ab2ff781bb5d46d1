import fastify from 'fastify';
import { addTracking, serve } from './fastify-tracking.ts';

// Fastify and pg: no logging, no metrics, no limits.

const app = fastify();
addTracking(app);
await serve(app);
