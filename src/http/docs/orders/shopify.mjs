import { createHmac, timingSafeEqual } from 'node:crypto';
import { sendOrders } from './send-orders.mjs';

/**
 * Takes a request of Shopify's webhook `orders/create`.
 *
 * @param {string} signature its header x-shopify-hmac-sha256
 * @param {Buffer} body exactly as received
 */
export async function takeShopifyOrder(secret, signature, body) {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error('not from Shopify');
  const { id, name, shipping_address: to, total_weight: grams } = JSON.parse(body);
  const recipient = { companyName: to.name, address: [to.address1, to.address2].filter(Boolean).join(', ') };
  Object.assign(recipient, {
    postalCode: to.zip,
    city: to.city,
    province: to.province_code,
    countryCode: to.country_code,
  });
  const numbers = {
    orderNumber: name,
    marketplace: 'Shopify',
    marketplaceOrderId: `${id}`,
    marketplaceOrderNumber: name,
  };
  return sendOrders([{ ...numbers, warehouseId: 1, recipient, parcels: [{ weight: grams / 1000, quantity: 1 }] }]);
}
