/**
 * Who may import whom. Read by people first, by tools/check-deps.mjs second.
 *
 * Each area is a folder or a file (the longest match decides). `may` lists areas it may import besides itself;
 * `types` lists areas from which it may import types only; `packages` lists npm packages and built-in modules
 * ('node:*' is all of them). A path that belongs to no area is an error, and so is an import that is not listed, or a
 * grant that no import needs.
 * Tests (*.test.ts) may import anything of their own workspace, and what the root offers for tests.
 */
export const areas = {
  // The wire and the HTTP contract: the two languages that everybody speaks.
  'packages/protocol': { may: [], packages: [] },
  'packages/contract': { may: [], packages: ['zod'] },
  // The grammar of searches, for the server that answers them and the console that helps to write them.
  'packages/search-syntax': { may: [], packages: [] },
  // What replays are made of, for the server that keeps them and the console that plays them.
  'packages/recording': { may: [], packages: [] },
  'packages/recording/src/repro': { may: ['packages/recording'], packages: [] },

  // The widget, for any page: the loader first, the rest when it is needed.
  'packages/tunnel': { may: ['packages/protocol'], packages: ['node:*'] },
  'packages/browser': {
    may: ['packages/protocol', 'packages/feedback', 'packages/replay'],
    packages: ['web-vitals'],
  },
  'packages/replay': { may: ['packages/browser'], packages: ['@rrweb/record'] },
  'packages/react': { may: ['packages/browser', 'packages/feedback'], packages: ['react'] },
  'packages/feedback': { may: ['packages/protocol'], packages: ['modern-screenshot'] },

  // The server. lib knows nothing of the domain; the road (ingest) and the stores (storage) know no capability; capabilities
  // are folders of their own, which see the road, the stores and what stands before them in capabilities.ts.
  'apps/server/src/lib': { may: [], packages: ['node:*'] },
  // Bounds that others keep to, too.
  'apps/server/src/ingest/limits.ts': { may: [], packages: [] },
  'apps/server/src/storage/limits.ts': { may: [], packages: [] },
  'apps/server/src/mail/limits.ts': { may: [], packages: [] },
  'apps/server/src/config.ts': { may: ['apps/server/src/lib'], packages: ['zod', 'node:*'] },
  'apps/server/src/search': {
    may: ['apps/server/src/lib', 'packages/search-syntax'],
    packages: ['@clickhouse/client'],
  },
  'apps/server/src/capability.ts': {
    may: [],
    types: [
      'apps/server/src/accounts',
      'apps/server/src/config.ts',
      'apps/server/src/http',
      'apps/server/src/ingest',
      'apps/server/src/search',
      'apps/server/src',
    ],
    packages: ['@clickhouse/client'],
  },
  'apps/server/src/http': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/storage/limits.ts',
      'packages/contract',
      'packages/protocol',
    ],
    packages: ['node:*', 'hono', 'zod'],
  },
  'apps/server/src/storage': {
    may: ['apps/server/src/lib', 'apps/server/src/storage/limits.ts', 'apps/server/src/ingest/limits.ts'],
    types: ['apps/server/src/ingest'],
    packages: ['node:*', 'kysely', 'pg', '@clickhouse/client', 'chdb', 'aws4fetch'],
  },
  'apps/server/src/ingest': {
    may: ['apps/server/src/lib', 'apps/server/src/ingest/limits.ts', 'packages/protocol'],
    types: ['apps/server/src/accounts', 'apps/server/src/storage', 'apps/server/src/config.ts'],
    packages: ['node:*'],
  },
  // What reading an event takes, whatever becomes of it: errors, reports of visitors, transactions.
  'apps/server/src/event': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/storage/limits.ts',
      'packages/protocol',
    ],
    types: ['apps/server/src/accounts', 'apps/server/src/ingest'],
    packages: ['node:*', 'bowser', '@bufbuild/protobuf'],
  },
  'apps/server/src/mail': { may: ['apps/server/src/lib', 'apps/server/src/mail/limits.ts'], packages: ['nodemailer'] },

  // Capabilities, in the order of capabilities.ts.
  'apps/server/src/first-schema': {
    may: ['apps/server/src/storage'],
    types: ['apps/server/src/capability.ts'],
    packages: [],
  },
  'apps/server/src/accounts': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely'],
  },
  // What happened, noted by whoever changes something and followed by whoever tells of it.
  'apps/server/src/facts': {
    may: ['apps/server/src/lib', 'apps/server/src/storage'],
    types: ['apps/server/src/capability.ts', 'apps/server/src/http', 'apps/server/src'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/receipts': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/ingest',
      'apps/server/src/storage',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/accounts',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['@clickhouse/client'],
  },
  'apps/server/src/kept-items': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/ingest',
      'apps/server/src/storage',
      'apps/server/src/http',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', '@clickhouse/client'],
  },
  'apps/server/src/issues': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/facts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/receipts',
      'apps/server/src/kept-items',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely', '@clickhouse/client'],
  },
  'apps/server/src/feedback': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/mail/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/facts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/kept-items',
      'apps/server/src/issues',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/mail', 'apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/traces': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/issues',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['@clickhouse/client', '@bufbuild/protobuf'],
  },
  'apps/server/src/profiles': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/traces',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['@clickhouse/client'],
  },
  'apps/server/src/logs': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/traces',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['@clickhouse/client', '@bufbuild/protobuf'],
  },
  'apps/server/src/metrics': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/search',
      'apps/server/src/storage',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['@bufbuild/protobuf'],
  },
  // What builds on tables of others comes after them.
  'apps/server/src/explore': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/issues',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['kysely', '@clickhouse/client'],
  },
  'apps/server/src/findings': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/event',
      'apps/server/src/storage',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/traces',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts', 'apps/server/src/accounts', 'apps/server/src/ingest'],
    packages: ['node:*', '@clickhouse/client'],
  },
  'apps/server/src/people': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'apps/server/src/traces',
      'apps/server/src/logs',
      'apps/server/src/replays',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts', 'apps/server/src/kept-items'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/replays': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/kept-items',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'packages/contract',
      'packages/protocol',
      'packages/recording',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely', '@clickhouse/client'],
  },
  'apps/server/src/monitors': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/issues',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/uptime': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/event',
      'apps/server/src/issues',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/channels': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/storage',
      'apps/server/src/http',
      'apps/server/src/accounts',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts', 'apps/server/src/mail'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/ownership': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/facts',
      'apps/server/src/issues',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts', 'apps/server/src/accounts', 'apps/server/src/event'],
    packages: ['node:*', '@clickhouse/client'],
  },
  'apps/server/src/similar': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/facts',
      'apps/server/src/issues',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['kysely'],
  },
  'apps/server/src/notices': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/accounts',
      'apps/server/src/facts',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'apps/server/src/channels',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely'],
  },
  // What builds on all of these.
  'apps/server/src/alerts': {
    may: [
      'apps/server/src/accounts',
      'apps/server/src/lib',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/facts',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'apps/server/src/channels',
      'apps/server/src/ownership',
      'apps/server/src/notices',
      'apps/server/src/explore',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts', 'apps/server/src/ingest'],
    packages: ['node:*', 'kysely', '@clickhouse/client'],
  },
  // The script tag's files, as they were built.
  'apps/server/src/status-pages': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/http',
      'apps/server/src/storage',
      'apps/server/src/monitors',
      'apps/server/src/uptime',
      'packages/contract',
    ],
    types: ['apps/server/src/capability.ts'],
    packages: ['node:*', 'kysely'],
  },
  'apps/server/src/sdk': { may: ['apps/server/src/http'], packages: ['node:*'] },
  // The places that put things together.
  'apps/server/src': {
    may: [
      'apps/server/src/status-pages',
      'apps/server/src/lib',
      'apps/server/src/ingest/limits.ts',
      'apps/server/src/storage/limits.ts',
      'apps/server/src/config.ts',
      'apps/server/src/capability.ts',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/first-schema',
      'apps/server/src/facts',
      'apps/server/src/kept-items',
      'apps/server/src/receipts',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'apps/server/src/traces',
      'apps/server/src/profiles',
      'apps/server/src/logs',
      'apps/server/src/metrics',
      'apps/server/src/explore',
      'apps/server/src/findings',
      'apps/server/src/replays',
      'apps/server/src/monitors',
      'apps/server/src/uptime',
      'apps/server/src/channels',
      'apps/server/src/ownership',
      'apps/server/src/similar',
      'apps/server/src/people',
      'apps/server/src/notices',
      'apps/server/src/alerts',
      'apps/server/src/mail',
      'apps/server/src/http',
      'apps/server/src/sdk',
      'apps/server/src/storage',
      'packages/contract',
    ],
    packages: ['node:*', '@hono/node-server'],
  },
  'apps/cli': { may: ['packages/protocol', 'packages/recording'], packages: ['node:*'] },

  // The shop: a site of a user, who has the packages and nothing of the inside.
  'apps/demo/src': {
    may: ['packages/browser', 'packages/feedback', 'packages/react', 'packages/replay'],
    packages: ['react', 'react-dom', '@tanstack/react-router'],
  },
  'apps/demo/src/server': {
    may: ['packages/tunnel', 'packages/protocol'],
    packages: ['node:*', 'hono', '@hono/node-server'],
  },

  // The console: routes → features → ui → lib. A feature sees another one through its index.ts only.
  'apps/console/src/lib': {
    may: ['packages/contract', 'packages/browser', 'packages/feedback'],
    packages: ['react', '@tanstack/react-query'],
  },
  'apps/console/src/ui': {
    may: ['apps/console/src/lib'],
    packages: ['react', '@base-ui/react', '@tanstack/react-router', 'uplot', 'cmdk'],
  },
  'apps/console/src/features': {
    may: [
      'apps/console/src/lib',
      'apps/console/src/ui',
      'apps/console/src/shell',
      'packages/contract',
      'packages/protocol',
      'packages/recording',
      'packages/search-syntax',
    ],
    packages: [
      'react',
      '@base-ui/react',
      '@rrweb/replay',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-virtual',
      'cronstrue',
      'shiki',
      'zod',
    ],
  },
  'apps/console/src/shell': {
    may: ['apps/console/src/lib', 'apps/console/src/ui', 'packages/contract'],
    packages: ['react', '@tanstack/react-query', '@tanstack/react-router'],
  },
  'apps/console/src': {
    may: ['apps/console/src/lib', 'apps/console/src/ui', 'apps/console/src/shell', 'apps/console/src/features'],
    packages: [
      'react',
      'react-dom',
      '@base-ui/react',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
    ],
  },
}

/**
 * Slices with a face: from outside, values are imported from these files only (types from anywhere, and the composing files
 * of the server see everything). A name that ends in /* means each folder below.
 */
export const faces = {
  'apps/server/src/accounts': [/^index\.ts$/],
  'apps/server/src/ingest': [/^index\.ts$/],
  'apps/server/src/issues': [/^index\.ts$/],
  'apps/server/src/event': [/^(index|limits)\.ts$/],
  'apps/server/src/receipts': [/^(index|limits)\.ts$/],
  'apps/server/src/kept-items': [/^(index|limits)\.ts$/],
  'apps/server/src/http': [/^index\.ts$/],
  'apps/server/src/traces': [/^(index|limits)\.ts$/],
  'apps/server/src/sdk': [/^index\.ts$/],
  // A manifest loads the feature's screens late, so data and the shape of URLs stand apart from them.
  'apps/console/src/features/*': [
    /^manifest\.ts$/,
    /^([\w-]+\/)?index\.ts$/,
    /^queries\.ts$/,
    /^model\/([\w-]+-)?search\.ts$/,
  ],
}

/** Exceptions, each with a name and a reason. Empty is the goal. */
export const debt = []
