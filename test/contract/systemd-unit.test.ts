import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const unit = new Map(
  [...read('schema/ops/shipping@.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]),
);

test('The systemd unit starts Node with the flags of npm start, and stops only the first process by itself', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const node = '/opt/shipping/node_modules/.bin/node';
  expect(unit.get('ExecStart')).toBe(scripts.start.replace(/^.* exec node/, node));
  expect(unit.get('KillMode')).toBe('mixed');
  // A stop takes ten seconds at most.
  expect(Number(unit.get('TimeoutStopSec'))).toBeGreaterThan(10);
});

test('A process has a file of its own beside the settings of all', () => {
  const files = read('schema/ops/shipping@.service').match(/^EnvironmentFile=.*$/gm);
  expect(files).toEqual(['EnvironmentFile=/etc/shipping/shipping.env', 'EnvironmentFile=/etc/shipping/%i.env']);
});

test('The systemd unit has no rights that the service does not need', () => {
  const strict = { User: 'shipping', NoNewPrivileges: 'true', CapabilityBoundingSet: '', ProtectSystem: 'strict' };
  for (const [key, value] of Object.entries(strict)) expect([key, unit.get(key)]).toEqual([key, value]);
});
