import { beforeAll } from 'vitest';
import type { AskedAddress } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { Asking, CarrierAdapter } from '../../src/upstream/adapter.ts';
import { CarrierSchema } from '../../src/upstream/mesh.ts';

export const PALERMO: AskedAddress = {
  address: 'Via Roma 1',
  city: 'Palermo',
  zip: '90139',
  provincia: 'PA',
  country: 'IT',
  origin: { country: 'IT', zip: '20121', city: 'Milano' },
};

/** Asks a carrier's questions through Mesh, with answers that were written down; `asked` is what Mesh asked last. */
export function useRecorded({ document }: CarrierAdapter, baseUrl: string) {
  const asked: { url: string; init: RequestInit } = { url: '', init: {} };
  let answer: { status: number; body: unknown } = { status: 200, body: null };
  let schema: CarrierSchema<{ baseUrl: string }>;
  beforeAll(async () => {
    schema = await CarrierSchema.load(document, async (url, init) => {
      Object.assign(asked, { url, init });
      return Response.json(answer.body, { status: answer.status });
    });
  });
  const ask = async <Question, Finding>(
    asking: Asking<Question, Finding>,
    question: Question,
    body: unknown,
    status = 200,
  ) => {
    answer = { status, body };
    const { data, errors } = await schema.run(asking.operation, asking.variables(question), { baseUrl });
    return { finding: asking.read(data ?? {}, question), errors };
  };
  return { ask, asked };
}
