import { FAULTS, type FaultCode } from '../../platform/fault.ts';
import { problemExample } from './contract.ts';

/** The page of a problem's `type`, as Markdown: the error and what to do. */
export function problemMarkdown(code: FaultCode, publicUrl: string): string {
  const { status, title, help } = FAULTS[code];
  const example = problemExample(code);
  const shown = JSON.stringify(example, null, 2)?.replaceAll(
    /"type": "[^"]*(\/problems\/)/g,
    `"type": "${publicUrl}$1`,
  );
  return `# ${title}

HTTP status ${status}, code \`${code}\`.

${help}
${example === undefined ? '' : `\n## Example\n\n\`\`\`json\n${shown}\n\`\`\`\n`}
[Errors](/docs/errors) lists all codes and explains the format. If you ask your operator for help, give the \`requestId\` of the response.
`;
}
