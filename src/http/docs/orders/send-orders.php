<?php
const QUERY = 'mutation ($orders: [OrderInput!]!) { upsertOrders(input: { orders: $orders }) {
  created updated unchanged results { outcome errors { pointer message } } userErrors { message } } }';

/** Sends up to 1,000 orders; once more, they are unchanged. */
function sendOrders(array $orders): array
{
    $curl = curl_init(getenv('API_URL') . '/graphql');
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => ['content-type: application/json', 'x-api-key: ' . getenv('API_KEY')],
        CURLOPT_POSTFIELDS => json_encode(['query' => QUERY, 'variables' => ['orders' => $orders]], JSON_THROW_ON_ERROR),
    ]);
    $body = curl_exec($curl);
    $answer = $body === false ? [] : json_decode($body, true);
    if (isset($answer['errors']) || !isset($answer['data'])) {
        throw new RuntimeException($answer['errors'][0]['message'] ?? curl_error($curl));
    }
    return $answer['data']['upsertOrders'];
}
