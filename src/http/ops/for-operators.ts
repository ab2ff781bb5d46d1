import type { Middleware } from 'koa';
import { OPERATOR_CHALLENGE, type Operators, operatorOf } from '../../platform/secrets/operators.ts';
import type { RequestState } from '../request-state.ts';

/** Lets in operators alone, and notes for the log who it is. */
export function forOperators(operators: Operators): Middleware {
  return (ctx, next) => {
    const operator = operatorOf(ctx.get('authorization'), operators);
    if (operator === undefined) {
      ctx.status = 401;
      ctx.set('www-authenticate', OPERATOR_CHALLENGE);
      return;
    }
    (ctx.state as RequestState).operator = operator;
    return next();
  };
}
