import type { Context } from 'koa';
import { FAULTS, type Fault, type FaultCode } from '../platform/fault.ts';
import { faultDetail, faultReport } from '../platform/problem.ts';
import type { RequestState } from './handler.ts';

/** Answers with a fault as `application/problem+json` (RFC 9457). */
export function sendProblem(ctx: Context, fault: Fault, publicUrl: string): void {
  const { requestId } = ctx.state as RequestState;
  ctx.status = fault.status;
  for (const [name, value] of Object.entries(fault.options.headers ?? {})) ctx.set(name, value);
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify({
    type: `${publicUrl}/problems/${fault.code}`,
    title: FAULTS[fault.code].title,
    detail: faultDetail(fault),
    instance: ctx.path,
    ...faultReport(fault, requestId),
  });
}

/** The page behind a problem's `type`: what it means and what to do. */
export function problemPage(code: FaultCode): string {
  const { status, title, help } = FAULTS[code];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{background:#eee;padding:.1em .3em}</style></head>
<body><h1>${title}</h1><p>HTTP ${status}, code <code>${code}</code></p><p>${help.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p></body></html>
`;
}

export function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}
