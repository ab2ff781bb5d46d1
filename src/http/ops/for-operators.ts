import type { Middleware } from 'koa';
import { OPERATOR_CHALLENGE, type Operators, operatorOf } from '../../platform/secrets/operators.ts';
import type { RequestState } from '../request-state.ts';

/** Lets only operators in, and notes the operator for the log. */
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
