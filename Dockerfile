# The image of the service: `docker build --tag shipping-integrations-api .`
#
# Both stages use one exact release of Node, the one that the tests run on. To pin its content too, add the digest that
# `docker buildx imagetools inspect node:24.21.0-alpine` prints: node:24.21.0-alpine@sha256:…

FROM node:24.21.0-alpine AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without the tests, and without the optional packages: the embedded PostgreSQL, and Node, which the image has. What only
# people and compilers read is a third of the packages; licences stay, since packages may only be passed on with them.
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' -o -name '*.d.ts' -o -name '*.md' ! -iname '*licen[cs]e*' ! -iname 'notice*' ! -iname 'copying*' \) -delete

FROM node:24.21.0-alpine
ARG VERSION=development
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Shipping Integrations API" \
  org.opencontainers.image.description="Carrier quotes, shipment tracking, warehouses, address checks and signed webhooks" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json tsconfig.json mikro-orm.config.ts CHANGELOG.md LICENSE ./
COPY schema schema
COPY src src
# The service writes to DATA_DIR only if no SECRETS_KEY is given, so that the root file system can be read-only.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/tmp
# The user `node` by its number, since Kubernetes cannot tell from a name that a user is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=5 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--max-old-space-size=1280"]
CMD ["src/main.ts"]
