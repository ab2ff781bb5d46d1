import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import openapi from '../../schema/openapi.json' with { type: 'json' };
import { useLinkedCommand } from './linked-command.ts';

const shipping = useLinkedCommand();

test('The command that npm links works from any folder, and shows itself as it was typed', async () => {
  const [version, misused] = await Promise.all([shipping('--version'), shipping('company', 'create')]);
  const printed = `${packageJson.version} (contract ${openapi.info.version})\n`;
  expect(version).toEqual({ code: 0, stdout: printed, stderr: '' });
  expect(misused).toMatchObject({ code: 2, stdout: '' });
  expect(misused.stderr).toMatch(/^error: .*--name.* See `shipping company create --help`\.\n$/);
});

test('Shell completion offers the values of an option', async () => {
  const { stdout } = await shipping('complete', '--', 'carrier', 'update', '--active', '');
  const values = stdout.split('\n').map(line => line.split('\t')[0]);
  expect(values).toEqual(expect.arrayContaining(['yes', 'no']));
});
