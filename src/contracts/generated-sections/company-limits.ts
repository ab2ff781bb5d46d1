import { type Caps, DEFAULT_CAPS } from '../../platform/limits/caps.ts';
import { count, table } from './markdown.ts';

const WHAT: Readonly<Record<keyof Caps, { readonly what: string; readonly beyond: string }>> = {
  warehouses: { what: 'Warehouses of a company', beyond: '409 `warehouse_limit_reached`' },
  carrierConnections: {
    what: 'Carrier connections of a company, without those that were disconnected',
    beyond: '409 `carrier_connection_limit_reached`',
  },
  apiKeys: { what: 'Keys of a company that work', beyond: '409 `api_key_limit_reached`' },
  webhookEndpoints: {
    what: 'Webhook endpoints of a company, with deleted ones whose deliveries are still kept',
    beyond: '409 `webhook_limit_reached`',
  },
  shipmentEvents: {
    what: 'Tracking events of a shipment',
    beyond: 'the event is rejected as `too_many_events`, unless its status is final',
  },
};

export function companyLimits(): string {
  const rows = Object.entries(DEFAULT_CAPS).map(([name, limit]) => {
    const { what, beyond } = WHAT[name as keyof Caps];
    return [what, count(limit), beyond];
  });
  return table(['What', 'At most', 'Beyond it'], rows);
}
