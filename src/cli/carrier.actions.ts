import { z } from 'zod';
import type { Config } from '../config.ts';
import { tenantOfCompany } from '../domain/access/access.service.ts';
import { connectCarrier, disconnectCarrier } from '../domain/carriers/carriers.service.ts';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import { readJson } from './files.ts';
import { RefusedFile } from './refused-file.ts';
import { withDatabase } from './session.ts';

interface ConnectOptions {
  readonly company: string;
  readonly carrier: string;
  readonly label: string;
  readonly credentials?: string;
  readonly baseUrl?: string;
  readonly sandbox?: true;
}

export function connectAccount(options: ConnectOptions) {
  return withDatabase(async ({ config, database }) => {
    const credentials = options.credentials === undefined ? null : await readCredentials(options.credentials);
    const tenant = await tenantOfCompany(database, options.company);
    const access = { box: await openSecretBox(config), hasSandbox: hasSandbox(config) };
    const { id, environment, hasCredentials } = await connectCarrier(tenant, access, config.caps, {
      carrierCode: options.carrier,
      label: options.label,
      environment: options.sandbox ? 'sandbox' : 'live',
      baseUrl: options.baseUrl ?? null,
      credentials,
    });
    return { connectionId: id, environment, hasCredentials };
  });
}

export function disconnectAccount({ connection }: { connection: number }) {
  return withDatabase(async ({ database }) => {
    const { id, label } = await disconnectCarrier(await tenantOfConnection(database, connection), connection);
    return { connectionId: id, label };
  });
}

/** Not an option of the command line, which other users of the machine can see. */
async function readCredentials(file: string): Promise<Record<string, string>> {
  const { value } = await readJson(file);
  const credentials = z.record(z.string(), z.string()).safeParse(value);
  if (credentials.success) return credentials.data;
  throw new RefusedFile([`${file} must be an object of texts, such as {"userId":"…","password":"…"}`]);
}

function hasSandbox({ demo, carrierSandboxUrl }: Config): boolean {
  return demo || carrierSandboxUrl !== undefined;
}
