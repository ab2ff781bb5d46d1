import { describe, expect, test } from 'vitest';
import { execute, useLinkedCommand } from './linked-command.ts';

const shipping = useLinkedCommand();

test('The help of the linked command shows the command as it was typed', async () => {
  const { stdout } = await shipping('key', 'create', '--help');
  expect(stdout).toMatch(/^Usage: shipping key create \[options\]$/m);
  expect(stdout).toMatch(/^ {2}shipping key create --label Platform --scopes all --company \S+$/m);
});

describe('Shell completion', () => {
  test('offers commands and options', async () => {
    const completed = async (...words: string[]) => {
      const { stdout } = await shipping('complete', '--', ...words);
      return stdout.split('\n').map(line => line.split('\t')[0]);
    };
    const [commands, options] = await Promise.all([completed('carrier', ''), completed('carrier', 'update', '--')]);
    expect(commands).toEqual(expect.arrayContaining(['connect', 'list', 'update', 'test', 'disconnect']));
    expect(options).toEqual(expect.arrayContaining(['--connection', '--base-url']));
  });

  test('has a script for each shell, which asks the command', async () => {
    const scripts = await Promise.all(
      ['bash', 'zsh', 'fish', 'powershell'].map(shell => shipping('completion', shell)),
    );
    for (const { code, stdout, stderr } of scripts) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/shipping complete (--|'--')/);
    }
    const [bash] = scripts;
    await expect(execute('bash', ['-n', '-c', bash?.stdout ?? 'exit 1 (']).then(({ stderr }) => stderr)).resolves.toBe(
      '',
    );
  });
});
