SELECT o.id_order, o.reference, a.firstname, a.lastname, a.company, a.address1, a.address2, a.postcode, a.city,
  s.iso_code AS state_iso_code, c.iso_code AS country_iso_code, u.email, a.phone_mobile, a.phone,
  o.module, o.total_paid, o.total_paid_real, o.current_state, w.weight
FROM ps_orders o
JOIN ps_address a ON a.id_address = o.id_address_delivery
JOIN ps_country c ON c.id_country = a.id_country
JOIN ps_customer u ON u.id_customer = o.id_customer
LEFT JOIN ps_state s ON s.id_state = a.id_state
LEFT JOIN ps_order_carrier w ON w.id_order = o.id_order
WHERE o.date_add >= '2026-11-01'
