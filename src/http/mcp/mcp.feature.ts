import type { Feature } from '../../feature.ts';

/** The tools of assistants. */
export const mcp: Feature = {
  routes: async (router, api) => (await import('./mcp-route.ts')).addMcp(router, api),
};
