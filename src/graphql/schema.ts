import { FEATURES } from '../features.ts';
import { builder } from './builder.ts';

// Every feature adds its types to the builder when its modules are imported.
for (const { graph } of FEATURES) await graph?.();

/** The graph of all features. */
export const schema = builder.toSchema();
