import type Router from '@koa/router';
import type { Context } from 'koa';
import type { GraphQLServer } from '../graphql/yoga.ts';
import { authenticate, type OpenContext } from './handler.ts';
import { named } from './router.ts';

/** GraphQL over HTTP at `/graphql`: GraphiQL for a browser, which needs no key to be shown, and operations for keys. */
export function addGraphQL(router: Router, server: GraphQLServer, open: OpenContext): void {
  router.register(
    '/graphql',
    ['GET', 'POST', 'OPTIONS'],
    [
      named('/graphql'),
      async (ctx: Context) => {
        const isPage = ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html' && !('query' in ctx.query);
        const context = isPage ? {} : { ...(await authenticate(ctx, open)) };
        const response = await server.handleNodeRequestAndResponse(ctx.req, ctx.res, context as never);
        ctx.status = response.status;
        for (const [name, value] of response.headers) ctx.set(name, value);
        ctx.body = await response.text();
      },
    ],
  );
}
