import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from verify import verified_event

SECRET = os.environ.get("SECRET", "")
PORT = int(os.environ.get("PORT", "8787"))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = verified_event(SECRET, headers, body)
        except ValueError as error:
            print(f"rejected: {error}", flush=True)
            self.send_response(400)
        else:
            print(f"verified: {event['type']} of {event['data'].get('trackingNumber')}", flush=True)
            self.send_response(204)
        self.end_headers()


with HTTPServer(("127.0.0.1", PORT), Receiver) as server:
    print(f"receiving at http://127.0.0.1:{PORT}/", flush=True)
    server.serve_forever()
