<?php
// In a plugin, or at the end of functions.php. It runs when an order is paid.
require_once __DIR__ . '/send-orders.php';

add_action('woocommerce_order_status_processing', function (int $id): void {
    $order = wc_get_order($id);
    $weight = 0;
    foreach ($order->get_items() as $item) {
        $weight += (float) $item->get_product()?->get_weight() * $item->get_quantity();
    }
    sendOrders([[
        'orderNumber' => $order->get_order_number(),
        'marketplace' => 'WooCommerce',
        'marketplaceOrderNumber' => $order->get_order_number(),
        'warehouseId' => 1,
        'recipient' => [
            'companyName' => $order->get_formatted_shipping_full_name(),
            'address' => trim($order->get_shipping_address_1() . ' ' . $order->get_shipping_address_2()),
            'postalCode' => $order->get_shipping_postcode(),
            'city' => $order->get_shipping_city(),
            'province' => $order->get_shipping_state(),
            'countryCode' => $order->get_shipping_country(),
        ],
        'parcels' => [['weight' => round(wc_get_weight($weight, 'kg'), 3), 'quantity' => 1]],
        'codAmount' => $order->get_payment_method() === 'cod' ? $order->get_total() : null,
    ]]);
});
