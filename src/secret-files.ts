import { readFileSync } from 'node:fs';

/**
 * A setting that is a secret can be a file, as Docker, Kubernetes and systemd hand secrets over: the variable
 * `SECRETS_KEY_FILE` names the file with the value of `SECRETS_KEY`.
 */

export const fileVariableOf = (name: string) => `${name}_FILE`;

interface SecretFiles {
  /** The contents of the files by the names of the settings. */
  readonly values: Readonly<Record<string, string>>;
  /** One clause for each variable that is wrong. None has a content. */
  readonly problems: readonly string[];
}

/** Reads the files that the variables name. */
export function readSecretFiles(
  variables: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): SecretFiles {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secrets) {
    const variable = fileVariableOf(name);
    const path = variables[variable];
    if (path === undefined) continue;
    if (variables[name] !== undefined) {
      problems.push(`${name} and ${variable} are both set: set one of them`);
      continue;
    }
    const read = contentOf(path);
    if (typeof read === 'string') values[name] = read;
    else problems.push(`${variable} is "${path}", ${read.problem}`);
  }
  return { values, problems };
}

function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The content of a file without line breaks at its end, which editors and `echo` add. */
function contentOf(path: string): string | { problem: string } {
  try {
    const content = withoutLineEnds(readFileSync(path, 'utf8'));
    return content === '' ? { problem: 'which is empty' } : content;
  } catch (error) {
    return { problem: `which cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
