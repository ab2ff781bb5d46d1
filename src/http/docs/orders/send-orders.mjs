const QUERY = `mutation ($orders: [OrderInput!]!) { upsertOrders(input: { orders: $orders }) {
  created updated unchanged results { outcome errors { pointer message } } userErrors { message } } }`;

/** Sends up to 1,000 orders; once more, they are unchanged. */
export async function sendOrders(orders) {
  const response = await fetch(`${process.env.API_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': process.env.API_KEY },
    body: JSON.stringify({ query: QUERY, variables: { orders } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data.upsertOrders;
}
