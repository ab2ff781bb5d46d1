import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { TarGzip } from '../../src/platform/archive/tar-gzip.ts';

test('An archive is complete even if each write stores only a part of its data, as on a disk that is almost full', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-archive-'));
  const other = await open(join(folder, 'other'), 'w');
  const handles = Object.getPrototypeOf(other) as FileHandle;
  const write = handles.write as (...args: unknown[]) => Promise<{ bytesWritten: number }>;
  const spy = vi.spyOn(handles, 'write').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    const [bytes, from, length, position] = args as [Uint8Array, number, number, number];
    return write.call(this, bytes, from, Math.ceil(length / 2), position);
  } as never);
  try {
    const archive = await TarGzip.create(join(folder, 'archive.tar.gz'));
    await archive.add('parcels.csv', ['number;', 'weight\n']);
    const bytes = await archive.finish();
    const file = await readFile(join(folder, 'archive.tar.gz'));
    expect(file).toHaveLength(bytes);
    const content = gunzipSync(file).toString('latin1');
    expect([content.slice(0, 11), content.slice(124, 135), content.slice(512, 526)]).toEqual([
      'parcels.csv',
      '00000000016',
      'number;weight\n',
    ]);
  } finally {
    spy.mockRestore();
    await other.close();
    await rm(folder, { recursive: true });
  }
});
